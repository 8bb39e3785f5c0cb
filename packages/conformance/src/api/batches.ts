import {
  BatchFinishedError,
  BatchNotFoundError,
  type ContinueOn,
  DuplicateBatchError,
  type EnqueueItem,
  InvalidOptionError,
} from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, gate, nextEvent } from './signals.js';
import { items, registerFlaky } from './workflow-jobs.js';

export function batchTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'batches', (api) => {
    const statusOf = async (job: { _id: unknown }) => (await api.stored(job)).status;

    test('stores its members, runs them, and tells when it is complete', async () => {
      const monque = await api.monque();
      const { ran } = registerFlaky(monque);
      const complete = collect(monque, 'batch:complete');
      const { batchId, jobs } = await monque.enqueueBatch(items(1, 2, 'fail'), { name: 'Import' });
      expect(batchId).toHaveLength(36);
      expect(jobs.map(({ data }) => data)).toEqual([1, 2, 'fail']);
      for (const job of jobs) expect(await api.stored(job)).toStrictEqual(job);
      expect(jobs[0]).toMatchObject({ status: 'pending', batchId });
      expect(await monque.getBatch(batchId)).toStrictEqual({
        id: batchId,
        name: 'Import',
        total: 3,
        counts: { pending: 3, processing: 0, completed: 0, failed: 0, cancelled: 0 },
        progress: 0,
        createdAt: expect.any(Date),
      });
      await monque.drain();
      const batch = await monque.getBatch(batchId);
      expect(batch).toMatchObject({
        total: 3,
        counts: { pending: 0, processing: 0, completed: 2, failed: 1, cancelled: 0 },
        progress: 1,
        outcome: 'failed',
        startedAt: expect.any(Date),
        finishedAt: expect.any(Date),
      });
      expect(complete).toEqual([{ batch }]);
      expect(ran).toHaveLength(3);
    });

    test('an empty one is complete at once', async () => {
      const monque = await api.monque();
      monque.register('after', () => {});
      const complete = collect(monque, 'batch:complete');
      const { batchId, jobs } = await monque.enqueueBatch([], { id: 'empty' });
      expect({ batchId, jobs }).toEqual({ batchId: 'empty', jobs: [] });
      expect(await monque.getBatch('empty')).toMatchObject({ total: 0, progress: 1, outcome: 'completed' });
      expect(complete).toHaveLength(1);
      const job = await monque.continueBatchWith('empty', 'after', {});
      expect(job).toMatchObject({ status: 'pending', batchId: 'empty', awaitsBatchId: 'empty' });
      await expect(monque.addToBatch('empty', items(1))).rejects.toThrow(BatchFinishedError);
    });

    const CASES: readonly (readonly [members: unknown[], runs: readonly ContinueOn[]])[] = [
      [
        [1, 2],
        ['success', 'any'],
      ],
      [
        [1, 'fail'],
        ['failure', 'any'],
      ],
      [
        ['fail', 'cancel'],
        ['failure', 'any'],
      ],
      [[1, 'cancel'], ['any']],
    ];
    test.each(CASES)('after members %j these run: %j', async (members, runs) => {
      const monque = await api.monque();
      registerFlaky(monque);
      const seen: unknown[] = [];
      monque.register('after', ({ data }, { batch, parent }) => void seen.push({ data, batch, parent }));
      const { batchId, jobs } = await monque.enqueueBatch(items(...members));
      const waiting = new Map<ContinueOn, { _id: unknown }>();
      for (const on of ['success', 'failure', 'any'] as const) {
        const job = await monque.continueBatchWith(batchId, 'after', on, { on });
        expect(job).toMatchObject({ status: 'awaiting-batch', batchId, awaitsBatchId: batchId });
        waiting.set(on, job);
      }
      expect(await monque.getBatch(batchId)).toMatchObject({ total: 2 });
      for (const job of jobs) if (job.data === 'cancel') await monque.cancelJob(job._id);
      await monque.drain();
      for (const [on, job] of waiting) {
        expect(await statusOf(job)).toBe(runs.includes(on) ? 'completed' : 'cancelled');
      }
      const { counts, total } = (await monque.getBatch(batchId)) ?? {};
      const expected = runs.map((data) => ({
        data,
        batch: { id: batchId, total, counts },
        parent: undefined,
      }));
      expect(seen).toHaveLength(runs.length);
      expect(seen).toEqual(expect.arrayContaining(expected));
      expect(await monque.getQueueStats()).toMatchObject({ total: 5 });
    });

    test('a continuation that comes too late runs, or is forgone, at once', async () => {
      const monque = await api.monque();
      registerFlaky(monque);
      const { batchId } = await monque.enqueueBatch(items('fail'));
      await monque.drain();
      expect(await monque.continueBatchWith(batchId, 'work', 'late')).toMatchObject({
        status: 'cancelled',
        failReason: expect.stringContaining('failed'),
      });
      expect(await monque.continueBatchWith(batchId, 'work', 'late', { on: 'any' })).toMatchObject({
        status: 'pending',
      });
    });

    test('waits for the last member, whoever adds it, and for no longer', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      const order: unknown[] = [];
      monque.register<number>('grow', async ({ data, batchId = '' }, context) => {
        if (data > 0) await context.monque.addToBatch(batchId, [{ name: 'grow', data: data - 1 }]);
        else await opened;
        order.push(data);
      });
      monque.register('after', () => void order.push('after'));
      monque.start();
      const lastStarted = nextEvent(monque, 'job:start', ({ data }) => data === 0);
      const { batchId } = await monque.enqueueBatch([{ name: 'grow', data: 3 }]);
      const after = await monque.continueBatchWith(batchId, 'after', {});
      await lastStarted;
      expect(await statusOf(after)).toBe('awaiting-batch');
      open();
      expect(await monque.waitForJob(after._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
      expect(order.at(-1)).toBe('after');
      expect(order.slice(0, -1).toSorted()).toEqual([0, 1, 2, 3]);
      expect(await monque.getBatch(batchId)).toMatchObject({ total: 4, progress: 1 });
    });

    test('addToBatch answers the jobs, and refuses what cannot be', async () => {
      const monque = await api.monque();
      registerFlaky(monque);
      const { batchId } = await monque.enqueueBatch(items(1), { id: 'x' });
      const added = await monque.addToBatch(batchId, items(2, 3));
      for (const job of added) expect(await api.stored(job)).toStrictEqual(job);
      expect(await monque.addToBatch(batchId, [])).toEqual([]);
      expect(await monque.getBatch('x')).toMatchObject({ total: 3 });
      await expect(monque.addToBatch('y', items(1))).rejects.toThrow(BatchNotFoundError);
      await monque.drain();
      await expect(monque.addToBatch('x', items(1))).rejects.toThrow(BatchFinishedError);
      expect(await api.count()).toBe(3);
    });

    test('everything is checked before anything is written, and the error names the index', async () => {
      const monque = await api.monque();
      const parent = await monque.enqueue('work', {});
      const wrong: EnqueueItem[] = [
        { name: 'with blank', data: 1 },
        { name: 'work', data: () => {} },
        { name: 'work', data: 1, options: { uniqueKey: 'key' } },
        { name: 'work', data: 1, options: { hold: true } },
        { name: 'work', data: 1, options: { session: {} } },
        { name: 'work', data: 1, options: { parent: { id: parent._id } } },
      ];
      for (const item of wrong) {
        const members: EnqueueItem[] = [...items(1, 2), item];
        await expect(monque.enqueueBatch(members, { id: 'x' })).rejects.toThrow(/^Item 2: /);
      }
      for (const options of [{ id: '' }, { id: 'x'.repeat(37) }, { id: 7 }, { name: '' }, { color: 'red' }]) {
        await expect(monque.enqueueBatch(items(1), options as object)).rejects.toThrow(InvalidOptionError);
      }
      await expect(monque.continueBatchWith('x', 'work', {})).rejects.toThrow(BatchNotFoundError);
      const refused = { on: 'any', uniqueKey: 'key' } as object;
      await expect(monque.continueBatchWith('x', 'work', {}, refused)).rejects.toThrow(InvalidOptionError);
      expect(await monque.getBatch('x')).toBeNull();
      expect(await monque.getBatch('x'.repeat(100))).toBeNull();
      expect(await api.count()).toBe(1);
      await monque.enqueueBatch(items(1), { id: 'x' });
      await expect(monque.enqueueBatch(items(1), { id: 'x' })).rejects.toThrow(DuplicateBatchError);
      expect(await api.count()).toBe(2);
    });

    test('more members than one insert takes', async () => {
      const monque = await api.monque({ workerConcurrency: 200 });
      const { ran } = registerFlaky(monque);
      const numbers = Array.from({ length: 2_500 }, (_, number) => number);
      const { batchId, jobs } = await monque.enqueueBatch(items(...numbers));
      expect(jobs.map(({ data }) => data)).toEqual(numbers);
      expect(await monque.getBatch(batchId)).toMatchObject({ total: 2_500, counts: { pending: 2_500 } });
      await monque.drain();
      expect(ran).toHaveLength(2_500);
      expect(await monque.getBatch(batchId)).toMatchObject({ progress: 1, outcome: 'completed' });
    });

    test('many processes add at the same moment, and nothing is lost', async () => {
      const instances = await Promise.all(Array.from({ length: 4 }, () => api.monque()));
      const [monque] = instances;
      if (monque === undefined) throw new Error('Four instances were made');
      registerFlaky(monque);
      const { batchId } = await monque.enqueueBatch(items(0));
      await Promise.all(
        instances.flatMap((one, index) => [
          one.addToBatch(batchId, items(`${index} a`, `${index} b`)),
          one.addToBatch(batchId, items(`${index} c`)),
        ]),
      );
      expect(await monque.getBatch(batchId)).toMatchObject({ total: 13 });
      await monque.drain();
      expect(await monque.getBatch(batchId)).toMatchObject({ total: 13, progress: 1 });
    });
  });
}
