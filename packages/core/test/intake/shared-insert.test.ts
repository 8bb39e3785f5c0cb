import { Monque } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';

const { db } = testDatabase();

test('a job that the database refuses fails its own caller only, and the others are stored once', async () => {
  await db.createCollection('validated', { validator: { 'data.n': { $ne: 3 } } });
  const monque = new Monque(db, { collectionName: 'validated' });
  await monque.initialize();
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => monque.enqueue('a', { n })));
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true]);
  const stored = await monque.getJobs<{ n: number }>();
  expect(stored.map(({ data }) => data.n).sort()).toEqual([1, 2, 4, 5]);
});
