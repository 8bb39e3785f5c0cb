import { Monque, memory } from '@monque/core';
import { describe, expect, test } from 'vitest';
import { nextEvent, onEveryStore } from '../facade/instances.js';

onEveryStore('retention', (make) => {
  test('removes final jobs of the given age while the instance runs, and no others', async () => {
    const monque = await make({
      maxRetries: 1,
      jobRetention: { completed: 0, cancelled: 3_600_000, interval: 20 },
    });
    monque.register('good', () => 1);
    monque.register('bad', () => {
      throw new Error('No luck');
    });
    const good = await monque.enqueue('good', null);
    const bad = await monque.enqueue('bad', null);
    const cancelled = await monque.enqueue('unknown', null);
    const pending = await monque.enqueue('unknown', null);
    await monque.cancelJob(cancelled._id);
    await monque.drain();
    expect(await monque.getJobs()).toHaveLength(4);
    monque.start();
    await expect.poll(() => monque.getJob(good._id), { timeout: 5_000 }).toBeNull();
    const left = await monque.getJobs();
    expect(left.map(({ _id }) => String(_id)).sort()).toEqual(
      [bad, cancelled, pending].map(({ _id }) => String(_id)).sort(),
    );
  });
});

onEveryStore('retention of batches', (make) => {
  test('a batch goes with the last of its jobs, and of those that follow it', async () => {
    const monque = await make({ jobRetention: { completed: 0, interval: 20 } });
    monque.register('work', () => {});
    const { batchId: gone } = await monque.enqueueBatch([{ name: 'work', data: 1 }]);
    const { batchId: followed } = await monque.enqueueBatch([{ name: 'work', data: 2 }]);
    const { batchId: open } = await monque.enqueueBatch([{ name: 'unknown', data: 3 }]);
    await monque.continueBatchWith(followed, 'unknown', {});
    await monque.drain();
    monque.start();
    await expect.poll(() => monque.getBatch(gone), { timeout: 5_000 }).toBeNull();
    expect(await monque.getBatch(followed)).toMatchObject({ total: 0, outcome: 'completed' });
    expect(await monque.getBatch(open)).toMatchObject({ total: 1 });
    await monque.deleteJobs({ name: 'unknown' });
    await expect.poll(() => monque.listBatches(), { timeout: 5_000 }).toEqual([]);
  });
});

describe('a pass of retention', () => {
  test('goes on until nothing is left, in batches', async () => {
    const store = memory();
    const removed: number[] = [];
    const removeWhere = store.removeWhere.bind(store);
    store.removeWhere = async (filter, limit) => {
      const count = await removeWhere(filter, limit);
      removed.push(count);
      return count;
    };
    await using monque = new Monque(store, { jobRetention: { cancelled: 0, interval: 10 } });
    await monque.initialize();
    await monque.enqueueMany(Array.from({ length: 2_500 }, () => ({ name: 'a', data: null })));
    await monque.cancelJobs({});
    monque.start();
    await expect.poll(() => removed.slice(0, 4), { timeout: 5_000 }).toEqual([1_000, 1_000, 500, 0]);
  });

  test('that fails is told as job:error, and the next one comes', async () => {
    const store = memory();
    store.removeWhere = () => Promise.reject(new Error('gone'));
    await using monque = new Monque(store, { jobRetention: { completed: 0, interval: 10 } });
    await monque.initialize();
    monque.start();
    expect((await nextEvent(monque, 'job:error')).error.message).toBe('gone');
    expect((await nextEvent(monque, 'job:error')).error.message).toBe('gone');
  });

  test('comes no more after stop', async () => {
    const store = memory();
    let passes = 0;
    store.removeWhere = async () => {
      passes += 1;
      return 0;
    };
    await using monque = new Monque(store, { jobRetention: { completed: 0, interval: 5 } });
    await monque.initialize();
    monque.start();
    await expect.poll(() => passes, { timeout: 5_000 }).toBeGreaterThan(2);
    await monque.stop();
    const before = passes;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(passes).toBe(before);
  });
});
