import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';

const { db, client, name } = testDatabase();

test('jobs live in monque_jobs, one namespace per database', async () => {
  await using monque = new Monque(db);
  await monque.initialize();
  await monque.enqueue('work', 1);
  await using other = new Monque(db);
  await other.initialize();
  expect(await other.getJobs()).toHaveLength(1);
  expect(await db.collection('monque_jobs').countDocuments()).toBe(1);
});

test('another collection, or another database, is another queue', async () => {
  const elsewhere = client.db(`${name}_2`);
  try {
    const queues = [new Monque(db, { collectionName: 'tenant_a' }), new Monque(elsewhere)];
    for (const [index, monque] of queues.entries()) {
      await monque.initialize();
      monque.register('work', () => `queue ${index}`);
      // The same unique key in each: they do not know each other.
      await monque.enqueue('work', index, { uniqueKey: 'key' });
    }
    for (const monque of queues) expect(await monque.drain()).toMatchObject({ completed: 1 });
    expect(await db.collection('tenant_a').countDocuments({ status: 'completed' })).toBe(1);
    expect(await elsewhere.collection('monque_jobs').countDocuments({ status: 'completed' })).toBe(1);
    for (const monque of queues) await monque.close();
  } finally {
    await elsewhere.dropDatabase();
  }
});
