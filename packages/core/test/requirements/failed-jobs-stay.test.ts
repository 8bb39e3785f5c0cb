import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';

const { db } = testDatabase();

test('a job that failed for good stays for inspection, through restarts, until somebody removes it', async () => {
  const first = new Monque(db, { maxRetries: 1 });
  await first.initialize();
  first.register('pay', () => {
    throw new Error('The gateway timed out');
  });
  const { _id } = await first.enqueue('pay', { orderId: 'order-456' });
  await first.drain();
  await first.close();

  await using second = new Monque(db);
  await second.initialize();
  second.register('pay', () => {});
  expect(await second.drain()).toEqual({ completed: 0, failed: 0, other: 0 });
  expect(await second.getJob(_id)).toMatchObject({
    status: 'failed',
    failCount: 1,
    failReason: 'The gateway timed out',
    data: { orderId: 'order-456' },
  });
  // Nor does the server remove it by age.
  const indexes = await db.collection('monque_jobs').indexes();
  expect(indexes.filter((index) => 'expireAfterSeconds' in index)).toEqual([]);
});
