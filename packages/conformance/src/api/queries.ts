import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { gate, nextEvent } from './signals.js';

const PAST = new Date('2026-01-01T00:00:00Z');
const after = (milliseconds: number) => new Date(PAST.getTime() + milliseconds);

export function queryTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'getJob', (api) => {
    test('null for an id that no job has, or of the wrong form', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      await monque.deleteJob(job._id);
      expect(await monque.getJob(job._id)).toBeNull();
      expect(await monque.getJob('nonsense')).toBeNull();
      expect(await monque.getJob({ $ne: null })).toBeNull();
    });
  });

  apiSuite(subject, 'getJobs', (api) => {
    test('sorted by nextRunAt, 100 by default, with limit and skip', async () => {
      const monque = await api.monque();
      const items = Array.from({ length: 120 }, (_, n) => ({
        name: 'work',
        data: n,
        options: { runAt: after((n * 7) % 120) },
      }));
      await monque.enqueueMany(items);
      const jobs = await monque.getJobs();
      expect(jobs.map(({ nextRunAt }) => nextRunAt.getTime() - PAST.getTime())).toEqual(
        Array.from({ length: 100 }, (_, n) => n),
      );
      const page = await monque.getJobs({ skip: 5, limit: 2 });
      expect(page.map(({ nextRunAt }) => nextRunAt)).toEqual([after(5), after(6)]);
      expect(await monque.getJobs({ limit: 10_000 })).toHaveLength(120);
    });

    test('by name, and by one or several statuses', async () => {
      const monque = await api.monque();
      await monque.enqueue('a', 1);
      await monque.enqueue('b', 2, { hold: true });
      await monque.cancelJob((await monque.enqueue('b', 3))._id);
      const data = async (filter: Parameters<typeof monque.getJobs>[0]) =>
        (await monque.getJobs(filter)).map((job) => job.data).sort();
      expect(await data({ name: 'b' })).toEqual([2, 3]);
      expect(await data({ status: 'pending' })).toEqual([1]);
      expect(await data({ status: ['pending', 'cancelled'] })).toEqual([1, 3]);
      expect(await data({ name: 'a', status: 'cancelled' })).toEqual([]);
    });

    const bad: readonly Record<string, unknown>[] = [
      { limit: 0 },
      { limit: 10_001 },
      { limit: 1.5 },
      { skip: -1 },
      { name: { $ne: null } },
      { status: { $ne: null } },
      { status: 'unknown' },
      { status: ['pending', { $gt: '' }] },
      { unknown: 1 },
    ];
    test.each(bad)('refuses %j', async (filter) => {
      const monque = await api.monque();
      await monque.enqueue('work', {});
      await expect(monque.getJobs(filter as never)).rejects.toMatchObject({
        code: expect.stringMatching(/^MONQUE_INVALID_(SELECTOR|OPTION)$/),
      });
    });
  });

  apiSuite(subject, 'getQueueStats', (api) => {
    test('counts by status, in all and by name', async () => {
      const monque = await api.monque({ statsCacheTtlMs: 0 });
      await monque.enqueueMany(['a', 'a', 'b'].map((name) => ({ name, data: 0 })));
      await monque.cancelJob((await monque.enqueue('a', 1))._id);
      const none = { processing: 0, completed: 0, failed: 0 };
      expect(await monque.getQueueStats()).toStrictEqual({ ...none, pending: 3, cancelled: 1, total: 4 });
      expect(await monque.getQueueStats({ name: 'b' })).toStrictEqual({
        ...none,
        pending: 1,
        cancelled: 0,
        total: 1,
      });
    });

    test('our further statuses only where they are not zero', async () => {
      const monque = await api.monque({ statsCacheTtlMs: 0 });
      expect(Object.keys(await monque.getQueueStats()).sort()).toEqual(
        ['pending', 'processing', 'completed', 'failed', 'cancelled', 'total'].sort(),
      );
      await monque.enqueue('work', {}, { hold: true });
      await api.write({ status: 'awaiting-continuation', nextRunAt: PAST });
      await api.write({ status: 'awaiting-batch', nextRunAt: PAST });
      expect(await monque.getQueueStats()).toMatchObject({
        created: 1,
        awaitingContinuation: 1,
        awaitingBatch: 1,
        total: 3,
      });
    });

    test('the mean duration is of run times, and absent without completed jobs', async () => {
      const monque = await api.monque({ statsCacheTtlMs: 0 });
      const job = await monque.enqueue('work', {});
      expect(await monque.getQueueStats()).not.toHaveProperty('avgProcessingDurationMs');
      monque.register('work', () => new Promise((resolve) => setTimeout(resolve, 50)));
      await monque.drain();
      const { avgProcessingDurationMs = 0, completed } = await monque.getQueueStats();
      expect(completed).toBe(1);
      expect(avgProcessingDurationMs).toBeGreaterThan(30);
      expect(avgProcessingDurationMs).toBeLessThan(2_000);
      expect((await api.stored(job)).executedAt).toBeInstanceOf(Date);
    });

    test('documents without run times count from creation to the last change', async () => {
      await api.write({ status: 'completed', nextRunAt: PAST, createdAt: PAST, updatedAt: after(4_000) });
      const stats = await (await api.monque()).getQueueStats();
      expect(stats.avgProcessingDurationMs).toBeCloseTo(4_000);
    });

    test('is remembered for statsCacheTtlMs, and seen at once with 0', async () => {
      const [caching, direct] = [
        await api.monque({ statsCacheTtlMs: 60_000 }),
        await api.monque({ statsCacheTtlMs: 0 }),
      ];
      expect((await caching.getQueueStats()).total).toBe(0);
      expect((await direct.getQueueStats()).total).toBe(0);
      await api.write({ nextRunAt: PAST });
      expect((await caching.getQueueStats()).total).toBe(0);
      expect((await direct.getQueueStats()).total).toBe(1);
    });

    test('refuses operators', async () => {
      const monque = await api.monque();
      await expect(monque.getQueueStats({ name: { $ne: null } } as never)).rejects.toMatchObject({
        code: expect.stringMatching(/^MONQUE_INVALID_/),
      });
    });
  });

  apiSuite(subject, 'getQueueViewSummaries', (api) => {
    test('over stored and registered names, sorted, frozen', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('both', () => opened, { concurrency: 3 });
      monque.register('registered', () => {});
      await monque.enqueue('stored', {});
      await monque.enqueue('both', {});
      monque.start();
      await nextEvent(monque, 'job:start');
      const views = await monque.getQueueViewSummaries();
      open();
      expect(views).toMatchObject([
        {
          name: 'both',
          hasPersistedJobs: true,
          hasRegisteredWorker: true,
          stats: { processing: 1, total: 1 },
          worker: { concurrency: 3, activeCount: 1 },
        },
        {
          name: 'registered',
          hasPersistedJobs: false,
          hasRegisteredWorker: true,
          stats: { pending: 0, total: 0 },
          worker: { concurrency: 5, activeCount: 0 },
        },
        {
          name: 'stored',
          hasPersistedJobs: true,
          hasRegisteredWorker: false,
          stats: { pending: 1, total: 1 },
          worker: null,
        },
      ]);
      expect(views.every((view) => Object.isFrozen(view))).toBe(true);
    });
  });
}
