import {
  DuplicateJobError,
  defineJob,
  InvalidJobIdentifierError,
  InvalidOptionError,
  InvalidPayloadError,
  Monque,
  memory,
} from '@monque/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { onEveryStore } from '../facade/instances.js';

onEveryStore('enqueueMany', (make) => {
  test('stores all items and answers in their order', async () => {
    const monque = await make();
    const items = Array.from({ length: 2_500 }, (_, n) => ({ name: `job-${n % 3}`, data: { n } }));
    const jobs = await monque.enqueueMany(items);
    expect(jobs.map(({ data }) => data.n)).toEqual(items.map(({ data }) => data.n));
    expect((await monque.getQueueStats()).pending).toBe(2_500);
  });

  test('stores nothing for an empty list', async () => {
    const monque = await make();
    expect(await monque.enqueueMany([])).toEqual([]);
  });

  test('resolves duplicates as enqueue does, also among the items', async () => {
    const monque = await make();
    const options = { uniqueKey: 'k' };
    const existing = await monque.enqueue('a', { n: 0 }, options);
    const [first, second, third] = await monque.enqueueMany([
      { name: 'a', data: { n: 1 }, options },
      { name: 'b', data: { n: 2 }, options },
      { name: 'b', data: { n: 3 }, options },
    ]);
    expect(first).toEqual(existing);
    expect(second.data).toEqual({ n: 2 });
    expect(third).toEqual(second);
  });

  test('checks all items before any is written, and the error names the index', async () => {
    const monque = await make();
    const defined = defineJob('defined', { schema: z.object({ n: z.number() }) });
    const good = { name: 'a', data: null };
    const wrong: [unknown, new (...args: never[]) => Error][] = [
      [{ name: 'a b', data: null }, InvalidJobIdentifierError],
      [{ name: 'a', data: null, options: { delay: -1 } }, InvalidOptionError],
      [{ name: 'a', data: () => 1 }, InvalidPayloadError],
      [{ name: defined, data: { n: 'x' } }, InvalidPayloadError],
      [{ name: 'a', data: null, uniqueKey: 'k' }, InvalidOptionError],
      [null, InvalidOptionError],
    ];
    for (const [item, error] of wrong) {
      const answer = monque.enqueueMany([good, good, item] as never);
      await expect(answer).rejects.toThrow(error);
      await expect(answer).rejects.toThrow('Item 2: ');
    }
    expect(await monque.getJobs()).toEqual([]);
  });

  test('a rejected duplicate names its index and the existing job', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', null, { uniqueKey: 'k' });
    const answer = monque.enqueueMany([
      { name: 'b', data: null },
      { name: 'a', data: null, options: { uniqueKey: 'k', onDuplicate: 'reject' } },
    ]);
    await expect(answer).rejects.toThrow(DuplicateJobError);
    await expect(answer).rejects.toMatchObject({
      existingId: String(_id),
      message: expect.stringMatching(/^Item 1: /),
    });
  });

  test('runs what it stored', async () => {
    const monque = await make();
    const seen: number[] = [];
    monque.register<{ n: number }>('a', (job) => seen.push(job.data.n));
    await monque.enqueueMany([1, 2, 3].map((n) => ({ name: 'a', data: { n } })));
    expect(await monque.drain()).toEqual({ completed: 3, failed: 0, other: 0 });
    expect(seen.sort()).toEqual([1, 2, 3]);
  });
});

describe('the inserts of enqueueMany', () => {
  test('carry at most a thousand jobs or 8 MB', async () => {
    const store = memory();
    const sizes: number[] = [];
    const insert = store.insert.bind(store);
    store.insert = (inserts, options) => {
      sizes.push(inserts.length);
      return insert(inserts, options);
    };
    const monque = new Monque(store);
    await monque.initialize();
    await monque.enqueueMany(Array.from({ length: 2_100 }, () => ({ name: 'a', data: null })));
    expect(sizes).toEqual([1_000, 1_000, 100]);
    sizes.length = 0;
    const large = 'x'.repeat(3_000_000);
    await monque.enqueueMany(Array.from({ length: 3 }, () => ({ name: 'a', data: large })));
    expect(sizes.length).toBeGreaterThan(1);
  });

  test.each([undefined, null, {}, 'items'])('refuse %j in place of items', async (items) => {
    const monque = new Monque(memory());
    await monque.initialize();
    await expect(monque.enqueueMany(items as never)).rejects.toThrow(InvalidOptionError);
  });
});
