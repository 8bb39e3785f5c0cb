import { expect, test } from 'vitest';
import { onEveryStore } from './instances.js';

onEveryStore('drain', (make) => {
  test('resolves where there is nothing to do, with workers or without', async () => {
    const monque = await make();
    await monque.enqueue('unknown', null);
    expect(await monque.drain()).toEqual({ completed: 0, failed: 0, other: 0 });
    monque.register('a', () => 1);
    expect(await monque.drain()).toEqual({ completed: 0, failed: 0, other: 0 });
  });

  test('runs what is due and what that enqueues, but nothing of the future', async () => {
    const monque = await make();
    const seen: number[] = [];
    monque.register<number>('a', async (job) => {
      seen.push(job.data);
      if (job.data < 3) await monque.enqueue('a', job.data + 1);
    });
    await monque.enqueue('a', 1);
    await monque.enqueue('a', 9, { delay: 3_600_000 });
    expect(await monque.drain()).toEqual({ completed: 3, failed: 0, other: 0 });
    expect(seen).toEqual([1, 2, 3]);
  });

  test('tries a failed job again where its retry is due at once', async () => {
    const monque = await make({ maxRetries: 3, baseRetryInterval: 0 });
    monque.register('a', () => {
      throw new Error('No luck');
    });
    const { _id } = await monque.enqueue('a', null);
    expect(await monque.drain()).toEqual({ completed: 0, failed: 3, other: 0 });
    expect(await monque.getJob(_id)).toMatchObject({ status: 'failed', failCount: 3 });
  });
});
