import { InvalidOptionError } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import { claimOne } from '../port/make-claims.js';
import { settle } from '../port/make-settlements.js';
import type { ConformanceSubject } from '../subject.js';
import { type AnyJob, apiSuite } from './instances.js';
import { collect, gate, nextEvent } from './signals.js';
import { registerWork } from './workflow-jobs.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');

export function continuationByHandTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'continuations and what people do', (api) => {
    const statusOf = async (job: { _id: unknown }) => (await api.stored(job)).status;

    test('retrying a parent by hand: what was not to follow its failure waits again, to any depth', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      let broken = true;
      const ran: unknown[] = [];
      monque.register('flaky', () => {
        if (broken) throw new Error('broken');
      });
      monque.register('after', ({ data }) => void ran.push(data));
      const parent = await monque.enqueue('flaky', {});
      const child = await monque.continueWith(parent._id, 'after', 'child');
      const grandchild = await monque.continueWith(child._id, 'after', 'grandchild');
      const byHand = await monque.continueWith(parent._id, 'after', 'by hand');
      await monque.continueWith(parent._id, 'after', 'rescue', { on: 'failure' });
      await monque.cancelJob(byHand._id);
      await monque.drain();
      expect(await statusOf(grandchild)).toBe('cancelled');
      expect(ran).toEqual(['rescue']);
      broken = false;
      await monque.retryJob(parent._id);
      expect(await api.stored(child)).toMatchObject({ status: 'awaiting-continuation' });
      expect(await api.stored(grandchild)).not.toHaveProperty('failReason');
      await monque.drain();
      expect(ran).toEqual(['rescue', 'child', 'grandchild']);
      expect(await statusOf(byHand)).toBe('cancelled');
    });

    test('a parent that cannot be retried leaves its children as they are', async () => {
      const monque = await api.monque();
      registerWork(monque);
      const parent = await monque.enqueue('work', 'failed', { uniqueKey: 'key' });
      const child = await monque.continueWith(parent._id, 'work', 'child');
      await monque.drain();
      const { updatedAt: _, finishedAt: _f, ...before } = await api.stored(child);
      await monque.enqueue('work', 'holder', { uniqueKey: 'key', runAt: FUTURE });
      await expect(monque.retryJob(parent._id)).rejects.toMatchObject({ code: 'MONQUE_DUPLICATE_JOB' });
      expect(await api.stored(child)).toMatchObject(before);
    });

    test('retryJobs, cancelJobs and deleteJobs do what their single forms do', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      const ran = registerWork(monque);
      const [failed, doomed, waiting] = await monque.enqueueMany([
        { name: 'work', data: 'failed' },
        { name: 'doomed', data: {} },
        { name: 'waiting', data: {} },
      ]);
      const retried = await monque.continueWith(failed._id, 'work', 'child of failed');
      const any = await monque.continueWith(waiting._id, 'work', 'child of waiting', { on: 'any' });
      const orphan = await monque.continueWith(doomed._id, 'work', 'child of doomed', { on: 'any' });
      await monque.drain();
      expect(await statusOf(retried)).toBe('cancelled');
      await monque.cancelJobs({ name: 'waiting' });
      await monque.deleteJobs({ name: 'doomed' });
      expect(await monque.getJob(orphan._id)).toBeNull();
      monque.register('work', ({ data }) => void ran.push(data), { replace: true });
      await monque.retryJobs({ status: 'failed' });
      await monque.drain();
      expect(await statusOf(any)).toBe('completed');
      expect(await statusOf(retried)).toBe('completed');
      expect(ran.toSorted()).toEqual(['child of failed', 'child of waiting', 'failed', 'failed']);
    });

    test('retryJobs lets children follow a parent that others run before anybody looks for them', async () => {
      const store = await api.connect();
      const changeWhere = store.changeWhere.bind(store);
      const others = await api.monque();
      store.changeWhere = async (...args) => {
        const count = await changeWhere(...args);
        if (args[1].type === 'retry') await others.drain();
        return count;
      };
      const monque = api.on(store);
      await monque.initialize();
      registerWork(monque);
      const parent = await monque.enqueue('work', 'failed');
      const child = await monque.continueWith(parent._id, 'work', 'child');
      const grandchild = await monque.continueWith(child._id, 'work', 'grandchild');
      const rescue = await monque.continueWith(parent._id, 'work', 'rescue', { on: 'failure' });
      await monque.drain();
      expect(await statusOf(grandchild)).toBe('cancelled');
      others.register('work', () => {});
      expect(await monque.retryJobs({ status: 'failed' })).toMatchObject({ count: 1 });
      expect(await statusOf(parent)).toBe('completed');
      await monque.drain();
      expect(await statusOf(child)).toBe('completed');
      expect(await statusOf(grandchild)).toBe('completed');
      expect(await statusOf(rescue)).toBe('completed');
    });

    test('retryJobs lets a chain that was cancelled run again in its order', async () => {
      const monque = await api.monque({ workerConcurrency: 5 });
      const ran = registerWork(monque);
      const first = await monque.enqueue('work', 'first', { runAt: FUTURE });
      const second = await monque.continueWith(first._id, 'work', 'second');
      const third = await monque.continueWith(second._id, 'work', 'third');
      await monque.cancelJob(first._id);
      await eventually(async () => expect(await statusOf(third)).toBe('cancelled'));
      expect(await monque.retryJobs({ status: 'cancelled' })).toMatchObject({ count: 1 });
      expect(await statusOf(second)).toBe('awaiting-continuation');
      expect(await statusOf(third)).toBe('awaiting-continuation');
      await monque.drain();
      expect(ran).toEqual(['first', 'second', 'third']);
    });

    test('retryJobs lets a job run whose parent stays as it is, if it is selected itself', async () => {
      const monque = await api.monque();
      const ran = registerWork(monque);
      const parent = await monque.enqueue('work', 'failed');
      const child = await monque.continueWith(parent._id, 'work', 'child');
      await monque.drain();
      const events = collect(monque, 'jobs:retried');
      expect(await monque.retryJobs({ status: 'cancelled' })).toMatchObject({ count: 1 });
      expect(events).toEqual([{ count: 1 }]);
      await monque.drain();
      expect(ran).toEqual(['failed', 'child']);
      expect(await statusOf(child)).toBe('completed');
      expect(await statusOf(parent)).toBe('failed');
    });

    test('a series that cannot be retried leaves what it kept from running as it is', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register('series', () => {
        throw new Error('broken');
      });
      monque.register('work', () => {});
      const series = await api.write({ name: 'series', repeatInterval: '0 0 1 1 *', nextRunAt: new Date(0) });
      const child = await monque.continueWith(series, 'work', 'child');
      await monque.drain();
      expect(await statusOf(child)).toBe('cancelled');
      await expect(monque.retryJob(series)).rejects.toMatchObject({ code: 'MONQUE_JOB_STATE' });
      expect(await statusOf(child)).toBe('cancelled');
    });

    test('deleting a parent deletes what waits for it, to any depth, and nothing that runs', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('work', () => {});
      monque.register('slow', () => opened);
      const parent = await monque.enqueue('work', {});
      const running = await monque.continueWith(parent._id, 'slow', {});
      monque.start();
      await nextEvent(monque, 'job:start', ({ name }) => name === 'slow');
      const later = await monque.enqueue('work', {}, { runAt: FUTURE });
      let last: AnyJob = later;
      const waiting: AnyJob[] = [];
      for (let depth = 0; depth < 5; depth++) {
        last = await monque.continueWith(last._id, 'work', depth);
        waiting.push(last);
      }
      const afterRunning = await monque.continueWith(running._id, 'work', {});
      expect(await monque.deleteJob(later._id)).toBe(true);
      expect(await monque.deleteJob(parent._id)).toBe(true);
      for (const { _id } of waiting) expect(await monque.getJob(_id)).toBeNull();
      open();
      expect(await monque.waitForJob(afterRunning._id, { timeout: 8_000 })).toMatchObject({
        status: 'completed',
      });
    });

    test('a child that is let go while somebody finds its parent gone stays', async () => {
      const store = await api.connect();
      const page = store.page.bind(store);
      let meanwhile: (() => Promise<void>) | undefined;
      store.page = async (request) => {
        const found = await page(request);
        // The look at all that waits.
        if (request.filter.fill === null) await meanwhile?.();
        return found;
      };
      const monque = api.on(store);
      await monque.initialize();
      const parent = await monque.enqueue('work', 'parent', { runAt: FUTURE });
      const child = await monque.continueWith(parent._id, 'work', 'child');
      await monque.enqueue('other', {}, { runAt: FUTURE });
      meanwhile = async () => {
        meanwhile = undefined;
        await api.store.change([child._id], { type: 'proceed' }, await api.store.now());
        await api.store.remove([parent._id]);
      };
      await monque.cancelJobs({ name: 'other' });
      await monque.drain();
      expect(meanwhile).toBeUndefined();
      expect(await statusOf(child)).toBe('pending');
    });

    test('cancelling a waiting child lets go what follows its end', async () => {
      const monque = await api.monque();
      const ran = registerWork(monque);
      const parent = await monque.enqueue('work', 'completed', { runAt: FUTURE });
      const child = await monque.continueWith(parent._id, 'work', 'child');
      const after = await monque.continueWith(child._id, 'work', 'after', { on: 'any' });
      await monque.cancelJob(child._id);
      await eventually(async () => expect(await statusOf(after)).toBe('pending'));
      await monque.drain();
      expect(ran).toEqual(['after']);
    });

    test('retention lets go what an ended process did not, before it removes what that follows', async () => {
      const monque = await api.monque({ jobRetention: { completed: 0, interval: 50 } });
      const parent = await monque.enqueue('work', 'parent');
      await monque.continueWith(parent._id, 'work', 'child');
      await settle(api.store, await claimOne(api.store), { type: 'completed' });
      const ran = registerWork(monque);
      monque.start();
      await eventually(async () => expect(await monque.getJob(parent._id)).toBeNull());
      await eventually(() => expect(ran).toEqual(['child']));
    });

    test('waitForJob resolves for a job that waits, when it is forgone', async () => {
      const monque = await api.monque();
      registerWork(monque);
      const parent = await monque.enqueue('work', 'failed');
      const child = await monque.continueWith(parent._id, 'work', 'child');
      const waiting = monque.waitForJob(child._id, { timeout: 8_000 });
      await monque.drain();
      expect(await waiting).toMatchObject({ status: 'cancelled' });
    });
  });

  apiSuite(subject, 'getJobTree', (api) => {
    test('shows a job with all that follows it', async () => {
      const monque = await api.monque();
      const root = await monque.enqueue('work', 'root');
      const left = await monque.continueWith(root._id, 'work', 'left');
      await monque.continueWith(root._id, 'work', 'right');
      await monque.continueWith(left._id, 'work', 'leaf');
      const tree = await monque.getJobTree(String(root._id));
      expect(tree).toMatchObject({
        job: { data: 'root' },
        children: [
          { job: { data: 'left' }, children: [{ job: { data: 'leaf' }, children: [] }] },
          { job: { data: 'right' }, children: [] },
        ],
        total: 4,
        truncated: false,
      });
      expect(tree?.job).toStrictEqual(root);
      expect(await monque.getJobTree(left._id)).toMatchObject({ total: 2 });
      expect(await monque.getJobTree(root._id, { limit: 3 })).toMatchObject({
        children: [{ children: [] }, { children: [] }],
        total: 3,
        truncated: true,
      });
      expect(await monque.getJobTree(root._id, { limit: 2 })).toMatchObject({ total: 2, truncated: true });
      expect(await monque.getJobTree('nonsense')).toBeNull();
      await expect(monque.getJobTree(root._id, { limit: 0 })).rejects.toThrow(InvalidOptionError);
    });
  });
}
