import { setTimeout as wait } from 'node:timers/promises';
import { InvalidSelectorError, type JobSelector, Monque, memory } from '@monque/core';
import { describe, expect, test } from 'vitest';
import { collect, onEveryStore } from '../facade/instances.js';

async function enqueueMany(monque: Monque<unknown>, name: string, count: number): Promise<void> {
  const runAt = new Date('2100-01-01');
  await monque.enqueueMany(Array.from({ length: count }, (_, data) => ({ name, data, options: { runAt } })));
}

onEveryStore('bulk calls', (make) => {
  test('work through more jobs than one batch holds, and tell of them once', async () => {
    const monque = await make({ statsCacheTtlMs: 0 });
    const cancelled = collect(monque, 'jobs:cancelled');
    const retried = collect(monque, 'jobs:retried');
    const deleted = collect(monque, 'jobs:deleted');
    await enqueueMany(monque, 'a', 2_300);
    await enqueueMany(monque, 'b', 5);
    expect(await monque.cancelJobs({ name: 'a' })).toEqual({ count: 2_300, errors: [] });
    expect(await monque.getQueueStats()).toMatchObject({ cancelled: 2_300, pending: 5 });
    expect(await monque.retryJobs({ name: 'a' })).toEqual({ count: 2_300, errors: [] });
    expect(await monque.getQueueStats()).toMatchObject({ cancelled: 0, pending: 2_305 });
    expect(await monque.deleteJobs({ name: 'a' })).toEqual({ count: 2_300, errors: [] });
    expect(await monque.getQueueStats()).toMatchObject({ pending: 5, total: 5 });
    expect([cancelled, retried, deleted]).toEqual([
      [{ count: 2_300 }],
      [{ count: 2_300 }],
      [{ count: 2_300 }],
    ]);
  });

  test('tell nothing where nothing was changed', async () => {
    const monque = await make();
    const events = collect(monque, 'jobs:cancelled');
    expect(await monque.cancelJobs({})).toEqual({ count: 0, errors: [] });
    expect(events).toEqual([]);
  });

  test('pass over jobs that are not eligible', async () => {
    const monque = await make();
    await monque.enqueue('a', 1);
    await monque.enqueue('a', 2, { hold: true });
    expect((await monque.retryJobs({})).count).toBe(0);
    expect((await monque.cancelJobs({})).count).toBe(1);
    expect((await monque.cancelJobs({ status: 'created' })).count).toBe(0);
  });

  test('pass over jobs whose unique key is taken meanwhile', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', 1, { uniqueKey: 'k' });
    await monque.cancelJob(_id);
    await monque.enqueue('a', 2, { uniqueKey: 'k' });
    const other = await monque.enqueue('a', 3);
    await monque.cancelJob(other._id);
    expect((await monque.retryJobs({})).count).toBe(1);
    expect((await monque.getJob(_id))?.status).toBe('cancelled');
  });

  test('olderThan and newerThan leave out their own moment', async () => {
    const monque = await make();
    const { createdAt } = await monque.enqueue('a', 1);
    expect((await monque.cancelJobs({ olderThan: createdAt })).count).toBe(0);
    expect((await monque.cancelJobs({ newerThan: createdAt })).count).toBe(0);
    const [before, after] = [-1, 1].map((ms) => new Date(createdAt.getTime() + ms));
    expect((await monque.cancelJobs({ newerThan: before!, olderThan: after! })).count).toBe(1);
  });

  test('an empty selector means all, and no status means none', async () => {
    const monque = await make();
    await enqueueMany(monque, 'a', 3);
    expect((await monque.deleteJobs({ status: [] })).count).toBe(0);
    expect((await monque.deleteJobs({})).count).toBe(3);
  });

  const WRONG: unknown[] = [
    undefined,
    null,
    [],
    'a',
    new Map(),
    Promise.resolve({}),
    { name: { $ne: null } },
    { name: ['a'] },
    { status: { $in: ['failed'] } },
    { status: 'unknown' },
    { olderThan: '2030-01-01' },
    { olderThan: { $gt: 0 } },
    { newerThan: new Date(Number.NaN) },
    { $where: 'true' },
    { _id: 'x' },
  ];
  test.each(WRONG.map((selector) => [selector]))(
    'refuse the selector %j and change nothing',
    async (selector) => {
      const monque = await make();
      await monque.enqueue('a', null);
      for (const call of ['cancelJobs', 'retryJobs', 'deleteJobs'] as const) {
        await expect(monque[call](selector as JobSelector)).rejects.toThrow(InvalidSelectorError);
      }
      expect(await monque.getJobs({ status: 'pending' })).toHaveLength(1);
    },
  );
});

describe('bulk calls end', () => {
  test('although a job comes for every batch that goes', async () => {
    const store = memory();
    const monque = new Monque(store);
    await monque.initialize();
    await monque.enqueue('a', 0);
    let batches = 0;
    const removeWhere = store.removeWhere.bind(store);
    store.removeWhere = async (filter, limit) => {
      batches += 1;
      await wait(2);
      if (batches < 100) await monque.enqueue('a', batches);
      return removeWhere(filter, limit);
    };
    await monque.deleteJobs({ name: 'a' });
    expect(batches).toBeLessThan(10);
  });

  test('although what is retried fails again at once', async () => {
    const store = memory();
    const monque = new Monque(store);
    await monque.initialize();
    const { _id } = await monque.enqueue('a', 0);
    await monque.cancelJob(_id);
    let batches = 0;
    const changeWhere = store.changeWhere.bind(store);
    store.changeWhere = async (...args) => {
      batches += 1;
      await wait(2);
      if (batches < 100) await store.change([_id], { type: 'cancel', running: true }, new Date());
      return changeWhere(...args);
    };
    expect((await monque.retryJobs({ name: 'a' })).count).toBe(1);
    expect(batches).toBeLessThan(10);
  });
});
