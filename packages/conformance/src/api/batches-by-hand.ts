import { type EnqueueItem, InvalidOptionError } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, nextEvent } from './signals.js';
import { items, registerFlaky } from './workflow-jobs.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');

export function batchByHandTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'batches and what people do', (api) => {
    const statusOf = async (job: { _id: unknown }) => (await api.stored(job)).status;

    test('cancelBatch cancels what waits, with running what runs; then it is complete', async () => {
      const monque = await api.monque({ workerConcurrency: 1, heartbeatInterval: 100 });
      registerFlaky(monque);
      const complete = collect(monque, 'batch:complete');
      const cancelled = collect(monque, 'jobs:cancelled');
      monque.register('endless', (_, { signal }) => {
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      const members: EnqueueItem[] = [{ name: 'endless', data: 0 }, ...items(1, 2)];
      const { batchId } = await monque.enqueueBatch(members);
      for (const data of [1, 2]) await monque.addToBatch(batchId, [{ name: 'other', data }]);
      const after = await monque.continueBatchWith(batchId, 'work', 'after', { on: 'any' });
      monque.start();
      await eventually(async () =>
        expect(await monque.getBatch(batchId)).toMatchObject({ counts: { processing: 1, completed: 2 } }),
      );
      expect(await monque.cancelBatch(batchId)).toMatchObject({
        counts: { processing: 1, completed: 2, cancelled: 2 },
      });
      expect(complete).toEqual([]);
      expect(await monque.cancelBatch(batchId, { running: true })).toMatchObject({
        counts: { processing: 0, completed: 2, cancelled: 3 },
        progress: 1,
        outcome: 'cancelled',
      });
      expect(cancelled).toEqual([{ count: 2 }, { count: 1 }]);
      expect(await monque.waitForJob(after._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
      expect(complete).toHaveLength(1);
      expect(await monque.cancelBatch('none')).toBeNull();
    });

    test('retryBatch lets the failed ones run again; what was forgone waits again', async () => {
      const monque = await api.monque();
      const state = registerFlaky(monque);
      const { batchId, jobs } = await monque.enqueueBatch(items(1, 'fail', 'fail'));
      const report = await monque.continueBatchWith(batchId, 'work', 'report');
      const afterReport = await monque.continueWith(report._id, 'work', 'after report');
      const child = await monque.continueWith(jobs[1]?._id, 'work', 'child');
      await monque.drain();
      expect(await Promise.all([report, afterReport, child].map(statusOf))).toEqual(
        Array(3).fill('cancelled'),
      );
      state.broken = false;
      const open = await monque.retryBatch(batchId);
      expect(open).toMatchObject({ counts: { pending: 2, completed: 1, failed: 0 }, total: 3 });
      expect(open).not.toHaveProperty('finishedAt');
      expect(await statusOf(report)).toBe('awaiting-batch');
      await monque.drain();
      expect(await Promise.all([report, afterReport, child].map(statusOf))).toEqual(
        Array(3).fill('completed'),
      );
      expect(await monque.getBatch(batchId)).toMatchObject({ outcome: 'completed' });
      expect(state.ran.filter((data) => data === 'report')).toHaveLength(1);
      const before = await monque.getBatch(batchId);
      expect(await monque.retryBatch(batchId)).toStrictEqual(before);
      expect(await monque.retryBatch('none')).toBeNull();
    });

    test('deleting the last open member completes it', async () => {
      const monque = await api.monque();
      registerFlaky(monque);
      const later: EnqueueItem = { name: 'work', data: 2, options: { runAt: FUTURE } };
      const members: EnqueueItem[] = [...items(1), later];
      const { batchId, jobs } = await monque.enqueueBatch(members);
      await monque.drain();
      expect(await monque.getBatch(batchId)).toMatchObject({ progress: 0.5 });
      const complete = nextEvent(monque, 'batch:complete');
      await monque.deleteJob(jobs[1]?._id);
      expect((await complete).batch).toMatchObject({ total: 1, outcome: 'completed' });
    });

    test('listBatches lists them, the newest first', async () => {
      const monque = await api.monque();
      registerFlaky(monque);
      const idsOf = async (options?: object) => (await monque.listBatches(options)).map(({ id }) => id);
      expect(await idsOf()).toEqual([]);
      for (const id of ['a', 'b', 'c']) {
        await monque.enqueueBatch([], { id });
        // Times are whole milliseconds.
        const { createdAt } = (await monque.getBatch(id)) ?? {};
        while ((await api.store.now()).getTime() <= (createdAt?.getTime() ?? 0));
      }
      await monque.enqueueBatch(items(1), { id: 'open' });
      expect(await idsOf()).toEqual(['open', 'c', 'b', 'a']);
      expect(await idsOf({ finished: true, limit: 2 })).toEqual(['c', 'b']);
      expect(await idsOf({ finished: false })).toEqual(['open']);
      expect(await idsOf({ skip: 3 })).toEqual(['a']);
      expect(await monque.listBatches({ limit: 1 })).toStrictEqual([await monque.getBatch('open')]);
      await expect(monque.listBatches({ limit: 0 })).rejects.toThrow(InvalidOptionError);
    });
  });
}
