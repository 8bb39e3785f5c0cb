import { type ContinueOn, InvalidOptionError, type Monque, ParentNotFoundError } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { type AnyJob, apiSuite } from './instances.js';
import { collect, gate, whenStarted } from './signals.js';
import { registerWork } from './workflow-jobs.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');
const ENDS = ['completed', 'failed', 'cancelled'] as const;
const ONS: readonly ContinueOn[] = ['success', 'failure', 'any'];
type End = (typeof ENDS)[number];

/** Which continuation runs after which end. */
const RUNS: Readonly<Record<End, readonly ContinueOn[]>> = {
  completed: ['success', 'any'],
  failed: ['failure', 'any'],
  cancelled: ['any'],
};

/** A job that will end like this; call what it answers. */
async function addParent(
  monque: Monque<unknown>,
  end: End,
): Promise<{ job: AnyJob; finish(): Promise<unknown> }> {
  if (end !== 'cancelled') {
    const job = await monque.enqueue('work', end);
    return { job, finish: () => monque.drain() };
  }
  const job = await monque.enqueue('work', end, { runAt: FUTURE });
  return {
    job,
    async finish() {
      await monque.cancelJob(job._id);
      await monque.drain();
    },
  };
}

export function continuationTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'continueWith', (api) => {
    const statusOf = async (job: { _id: unknown }) => (await api.stored(job)).status;

    test('the child waits, runs after its parent, and sees its result', async () => {
      const monque = await api.monque();
      registerWork(monque);
      const seen: unknown[] = [];
      monque.register('after', (_, { parent, batch }) => void seen.push({ parent, batch }));
      const parent = await monque.enqueue('work', 'completed', { delay: 60_000 });
      const child = await monque.continueWith(parent._id, 'after', { n: 1 });
      expect(child).toMatchObject({ status: 'awaiting-continuation', data: { n: 1 } });
      expect(String(child.parentJobId)).toBe(String(parent._id));
      expect(child).not.toHaveProperty('continueOn');
      expect(await api.stored(child)).toStrictEqual(child);
      await monque.drain();
      expect(seen).toEqual([]);
      await monque.rescheduleJob(parent._id, new Date());
      expect(await monque.drain()).toEqual({ completed: 2, failed: 0, other: 0 });
      expect(seen).toEqual([
        { parent: { id: parent._id, status: 'completed', result: { from: 'completed' } }, batch: undefined },
      ]);
      expect(await statusOf(child)).toBe('completed');
    });

    test('a running engine lets it go at once, on whichever process', async () => {
      const [worker, other] = [
        await api.monque({ pollInterval: 60_000, safetyPollInterval: 60_000 }),
        await api.monque(),
      ];
      const { opened, open } = gate();
      worker.register('slow', () => opened);
      worker.register('after', () => 'done');
      worker.start();
      const parent = await whenStarted(worker, worker.enqueue('slow', {}));
      const child = await other.continueWith(String(parent._id), 'after', {});
      open();
      expect(await other.waitForJob(child._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
    });

    test.each(
      ENDS.flatMap((end) => ONS.flatMap((on) => [true, false].map((before) => ({ end, on, before })))),
    )(
      'on: $on, parent $end, which it was before the child was added: $before',
      async ({ end, on, before }) => {
        const monque = await api.monque();
        const ran = registerWork(monque);
        const cancelled = collect(monque, 'job:cancelled');
        const { job: parent, finish } = await addParent(monque, end);
        if (before) await finish();
        const child = await monque.continueWith(parent._id, 'work', 'child', { on });
        const grandchild = await monque.continueWith(child._id, 'work', 'grandchild');
        if (!before) await finish();
        await monque.drain();
        const runs = RUNS[end].includes(on);
        expect(await statusOf(child)).toBe(runs ? 'completed' : 'cancelled');
        expect(await statusOf(grandchild)).toBe(runs ? 'completed' : 'cancelled');
        expect(ran.filter((data) => data !== end)).toEqual(runs ? ['child', 'grandchild'] : []);
        const told = cancelled.map(({ job }) => String(job._id)).filter((id) => id !== String(parent._id));
        expect(told).toEqual(runs ? [] : [String(child._id), String(grandchild._id)]);
        if (runs) return;
        expect(await api.stored(child)).toMatchObject({ failReason: expect.stringContaining('parent') });
        expect((await api.stored(child)).finishedAt).toBeInstanceOf(Date);
        expect(await api.stored(grandchild)).toMatchObject({
          failReason: expect.stringContaining('cancelled'),
        });
      },
    );

    test('parent among the options of enqueue and enqueueMany does the same', async () => {
      const monque = await api.monque();
      const ran = registerWork(monque);
      const parent = await monque.enqueue('work', 'failed');
      await monque.enqueue('work', 'a', { parent: { id: parent._id } });
      const [b, c] = await monque.enqueueMany([
        { name: 'work', data: 'b', options: { parent: { id: String(parent._id), on: 'failure' } } },
        { name: 'work', data: 'c', options: { parent: { id: parent._id, on: 'any' } } },
        { name: 'work', data: 'd' },
      ]);
      expect(b).toMatchObject({ status: 'awaiting-continuation', continueOn: 'failure' });
      expect(c).toMatchObject({ status: 'awaiting-continuation', continueOn: 'any' });
      await monque.drain();
      expect(ran.toSorted()).toEqual(['b', 'c', 'd', 'failed']);
    });

    test('a retry is no end', async () => {
      const monque = await api.monque({ baseRetryInterval: 1 });
      const order: unknown[] = [];
      monque.register('flaky', (_, { attempt }) => {
        order.push(attempt);
        if (attempt < 3) throw new Error('not yet');
      });
      monque.register('after', () => void order.push('after'));
      const parent = await monque.enqueue('flaky', {});
      const child = await monque.continueWith(parent._id, 'after', {});
      monque.start();
      expect(await monque.waitForJob(child._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
      expect(order).toEqual([1, 2, 3, 'after']);
    });

    test('keeps its options: due time, priority, attempts', async () => {
      const monque = await api.monque();
      registerWork(monque);
      const parent = await monque.enqueue('work', 'completed');
      const options = { runAt: FUTURE, priority: 3, maxRetries: 2, timeout: 1_000 };
      const child = await monque.continueWith(parent._id, 'work', {}, options);
      await monque.drain();
      expect(await api.stored(child)).toMatchObject({
        status: 'pending',
        nextRunAt: FUTURE,
        priority: 3,
        maxRetries: 2,
        timeout: 1_000,
      });
    });

    test('refuses what cannot be, before anything is written', async () => {
      const monque = await api.monque();
      const parent = await monque.enqueue('work', {});
      const gone = await monque.enqueue('work', {});
      await monque.deleteJob(gone._id);
      for (const id of [gone._id, String(gone._id), 'nonsense', undefined]) {
        const refusal = monque.continueWith(id, 'work', {});
        await expect(refusal).rejects.toThrow(ParentNotFoundError);
        await expect(refusal).rejects.toMatchObject({ parentId: String(id) });
      }
      const items = [
        { name: 'work', data: {} },
        { name: 'work', data: {}, options: { parent: { id: gone._id } } },
      ];
      await expect(monque.enqueueMany(items)).rejects.toThrow(/Item 1: There is no job/);
      for (const options of [
        { on: 'sometimes' },
        { uniqueKey: 'key' },
        { hold: true },
        { session: {} },
        { parent: {} },
      ]) {
        await expect(monque.continueWith(parent._id, 'work', {}, options as object)).rejects.toThrow(
          InvalidOptionError,
        );
      }
      for (const extra of [{ uniqueKey: 'key' }, { hold: true }, { session: {} }]) {
        const options = { ...extra, parent: { id: parent._id } };
        await expect(monque.enqueue('work', {}, options)).rejects.toMatchObject({
          option: Object.keys(extra)[0],
        });
      }
      for (const wrong of [
        'id',
        {},
        { id: null },
        { id: parent._id, when: 'later' },
        { id: parent._id, on: 'x' },
      ]) {
        await expect(monque.enqueue('work', {}, { parent: wrong as { id: unknown } })).rejects.toThrow(
          InvalidOptionError,
        );
      }
      expect(await api.count()).toBe(1);
    });

    test('after each end of a recurring parent: what waits for it follows the next occurrence', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      const seen: unknown[] = [];
      monque.register<boolean>('tick', ({ data }) => {
        if (data) throw new Error('broken');
      });
      monque.register('after', ({ data }) => void seen.push(data));
      for (const fails of [false, true]) {
        const parent = await monque.schedule('0 0 1 1 *', 'tick', fails, { runAt: new Date() });
        await monque.continueWith(parent._id, 'after', `success ${fails}`);
        await monque.continueWith(parent._id, 'after', `failure ${fails}`, { on: 'failure' });
        await monque.drain();
        // The next one comes later: it is not for those that were added after this one.
        await monque.continueWith(parent._id, 'after', 'too late');
        await monque.drain();
      }
      expect(seen).toEqual(['success false', 'failure true']);
    });

    test('shows in the counts', async () => {
      const monque = await api.monque();
      const parent = await monque.enqueue('work', {}, { runAt: FUTURE });
      await monque.continueWith(parent._id, 'work', {});
      expect(await monque.getQueueStats()).toMatchObject({ pending: 1, awaitingContinuation: 1, total: 2 });
    });

    test('a chain of 60, and a fan of 200, all in order', async () => {
      const monque = await api.monque({ workerConcurrency: 50 });
      const order: number[] = [];
      const fan: number[] = [];
      monque.register<number>('link', ({ data }) => void order.push(data));
      monque.register<number>('leaf', ({ data }) => void fan.push(data));
      let last = await monque.enqueue('link', 0);
      for (let number = 1; number < 60; number++) last = await monque.continueWith(last._id, 'link', number);
      const options = { parent: { id: last._id } };
      await monque.enqueueMany(Array.from({ length: 200 }, (_, data) => ({ name: 'leaf', data, options })));
      await monque.drain();
      expect(order).toEqual(Array.from({ length: 60 }, (_, number) => number));
      expect(fan.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, number) => number));
    });
  });
}
