import {
  AggregationTimeoutError,
  ConnectionError,
  InvalidSelectorError,
  type JobStore,
  Monque,
  memory,
  type StatusCounts,
} from '@monque/core';
import { describe, expect, test } from 'vitest';
import { StatsCache } from '../../src/manage/stats-cache.js';
import { onEveryStore } from '../facade/instances.js';

onEveryStore('statistics', (make) => {
  test('count jobs by status and leave out what there is none of', async () => {
    const monque = await make({ statsCacheTtlMs: 0 });
    const zeros = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, total: 0 };
    expect(await monque.getQueueStats()).toEqual(zeros);
    monque.register('a', () => 1);
    await monque.enqueue('a', null);
    await monque.drain();
    await monque.enqueue('a', null);
    await monque.enqueue('b', null, { hold: true });
    const { avgProcessingDurationMs, ...counts } = await monque.getQueueStats();
    expect(counts).toEqual({ ...zeros, pending: 1, completed: 1, created: 1, total: 3 });
    expect(avgProcessingDurationMs).toBeGreaterThanOrEqual(0);
    expect(await monque.getQueueStats({ name: 'b' })).toEqual({ ...zeros, created: 1, total: 1 });
  });

  test.each([{ name: { $ne: null } }, { name: 7 }, { status: 'failed' }, [], 'a'])(
    'refuse the filter %j',
    async (filter) => {
      const monque = await make();
      await expect(monque.getQueueStats(filter as never)).rejects.toThrow(InvalidSelectorError);
    },
  );

  test("are remembered, until this instance's own management calls change something", async () => {
    const monque = await make({ statsCacheTtlMs: 60_000 });
    const { _id } = await monque.enqueue('a', null);
    expect((await monque.getQueueStats()).pending).toBe(1);
    await monque.enqueue('a', null);
    expect((await monque.getQueueStats()).pending).toBe(1);
    await monque.cancelJob(_id);
    expect(await monque.getQueueStats()).toMatchObject({ pending: 1, cancelled: 1 });
    await monque.retryJob(_id);
    expect(await monque.getQueueStats()).toMatchObject({ pending: 2, cancelled: 0 });
    await monque.deleteJob(_id);
    expect(await monque.getQueueStats()).toMatchObject({ total: 1 });
    await monque.deleteJobs({});
    expect(await monque.getQueueStats()).toMatchObject({ total: 0 });
  });

  test('are summarised for every stored or registered name, sorted and frozen', async () => {
    const monque = await make();
    monque.register('registered', () => 1, { concurrency: 3 });
    monque.register('both', () => 1);
    await monque.enqueue('stored', null);
    await monque.enqueue('both', null);
    const views = await monque.getQueueViewSummaries();
    expect(
      views.map(({ stats, worker, ...rest }) => ({
        ...rest,
        pending: stats.pending,
        concurrency: worker?.concurrency,
      })),
    ).toEqual([
      { name: 'both', hasPersistedJobs: true, hasRegisteredWorker: true, pending: 1, concurrency: 5 },
      { name: 'registered', hasPersistedJobs: false, hasRegisteredWorker: true, pending: 0, concurrency: 3 },
      {
        name: 'stored',
        hasPersistedJobs: true,
        hasRegisteredWorker: false,
        pending: 1,
        concurrency: undefined,
      },
    ]);
    expect(views[2]?.worker).toBeNull();
    expect([views, ...views, views[0]?.stats, views[0]?.worker].every((part) => Object.isFrozen(part))).toBe(
      true,
    );
  });

  test('tell how many jobs a worker runs right now', async () => {
    const monque = await make();
    let finish = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      monque.register('slow', () => {
        resolve();
        return new Promise<void>((done) => {
          finish = done;
        });
      });
    });
    monque.start();
    await monque.enqueue('slow', null);
    await started;
    expect((await monque.getQueueViewSummaries())[0]?.worker).toEqual({ concurrency: 5, activeCount: 1 });
    finish();
    await monque.stop();
    expect((await monque.getQueueViewSummaries())[0]?.worker?.activeCount).toBe(0);
  });
});

describe('a failing count', () => {
  async function failingWith(error: Error): Promise<Monque<string>> {
    const store: JobStore<string> = memory();
    store.counts = () => Promise.reject(error);
    const monque = new Monque(store);
    await monque.initialize();
    return monque;
  }

  test('passes a timeout as it is', async () => {
    const timeout = new AggregationTimeoutError();
    await expect((await failingWith(timeout)).getQueueStats()).rejects.toBe(timeout);
  });

  test('is a ConnectionError otherwise', async () => {
    await expect((await failingWith(new Error('gone'))).getQueueStats()).rejects.toThrow(ConnectionError);
  });
});

describe('the cache', () => {
  /** A store whose counts can be told apart, and a clock that stands still until it is moved. */
  function parts() {
    let asked = 0;
    let now = 0;
    const counts = async (): Promise<StatusCounts> => ({ byStatus: { pending: ++asked } });
    const host = { monotonic: () => now } as ConstructorParameters<typeof StatsCache>[1];
    return { store: { counts }, host, pass: (ms: number) => (now += ms), asked: () => asked };
  }

  test('lets callers who ask at the same time share one query', async () => {
    const { store, host, asked } = parts();
    const cache = new StatsCache(store, host, 1_000);
    const answers = await Promise.all([cache.counts('a'), cache.counts('a'), cache.counts('b')]);
    expect(answers.map(({ byStatus }) => byStatus.pending)).toEqual([1, 1, 2]);
    expect(asked()).toBe(2);
  });

  test('asks again once the time is over', async () => {
    const { store, host, pass, asked } = parts();
    const cache = new StatsCache(store, host, 1_000);
    await cache.counts(undefined);
    pass(999);
    await cache.counts(undefined);
    expect(asked()).toBe(1);
    pass(1);
    await cache.counts(undefined);
    expect(asked()).toBe(2);
  });

  test('does not answer a question after a change with a query from before it', async () => {
    const { store, host } = parts();
    const cache = new StatsCache(store, host, 1_000);
    const before = cache.counts('a');
    cache.clear();
    expect((await cache.counts('a')).byStatus.pending).toBe(2);
    expect((await before).byStatus.pending).toBe(1);
    expect((await cache.counts('a')).byStatus.pending).toBe(2);
  });

  test('remembers no failure', async () => {
    const { store, host } = parts();
    let broken = true;
    const failing = { counts: () => (broken ? Promise.reject(new Error('gone')) : store.counts()) };
    const cache = new StatsCache(failing, host, 1_000);
    await expect(cache.counts('a')).rejects.toThrow('gone');
    broken = false;
    await expect(cache.counts('a')).resolves.toBeDefined();
  });

  test('forgets the oldest of a thousand names', async () => {
    const { store, host, asked } = parts();
    const cache = new StatsCache(store, host, 1_000);
    for (let n = 0; n <= 1_000; n++) await cache.counts(`name-${n}`);
    await cache.counts('name-1');
    expect(asked()).toBe(1_001);
    await cache.counts('name-0');
    expect(asked()).toBe(1_002);
  });
});
