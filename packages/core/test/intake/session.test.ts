import { Monque } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';

const { db, client } = testDatabase();

test('a job that is enqueued in a transaction exists if and only if it commits', async () => {
  const monque = new Monque(db, { collectionName: 'sessions' });
  await monque.initialize();
  await client.withSession(async (session) => {
    session.startTransaction();
    const lost = await monque.enqueue('a', { n: 1 }, { session });
    await session.abortTransaction();
    expect(await monque.getJob(lost._id)).toBeNull();

    session.startTransaction();
    const [kept, other] = await monque.enqueueMany([
      { name: 'a', data: { n: 2 }, options: { session } },
      { name: 'a', data: { n: 3 }, options: { session } },
    ]);
    expect(await monque.getJob(kept._id)).toBeNull();
    await session.commitTransaction();
    expect(await monque.getJob(kept._id)).toMatchObject({ data: { n: 2 } });
    expect(await monque.getJob(other._id)).toMatchObject({ data: { n: 3 } });
  });
});

test('one call belongs to one transaction, or to none', async () => {
  const monque = new Monque(db, { collectionName: 'mixed' });
  await monque.initialize();
  await client.withSession(async (session) => {
    const mixed = monque.enqueueMany([
      { name: 'a', data: {} },
      { name: 'a', data: {}, options: { session } },
    ]);
    await expect(mixed).rejects.toMatchObject({
      code: 'MONQUE_INVALID_OPTION',
      message: expect.stringContaining('Item 1'),
    });
  });
  await expect(monque.enqueue('a', {}, { session: { id: 1 } })).rejects.toMatchObject({
    code: 'MONQUE_INVALID_OPTION',
    option: 'session',
  });
  expect(await monque.getJobs()).toEqual([]);
});

test("in a transaction the driver's own error comes through, so that withTransaction can retry", async () => {
  const monque = new Monque(db, { collectionName: 'sessions' });
  await monque.initialize();
  await monque.enqueue('a', { n: 0 }, { uniqueKey: 'contested' });
  await db.collection('sessions').deleteMany({ uniqueKey: 'contested' });
  let tries = 0;
  await client.withSession((session) =>
    session.withTransaction(async () => {
      tries += 1;
      // The transaction has a snapshot from here on; somebody else takes the key after it.
      await db.collection('sessions').findOne({}, { session });
      if (tries === 1) await monque.enqueue('a', { n: 1 }, { uniqueKey: 'contested' });
      await monque.enqueue('a', { n: 2 }, { uniqueKey: 'contested', session });
    }),
  );
  expect(tries).toBe(2);
  expect(await db.collection('sessions').countDocuments({ uniqueKey: 'contested' })).toBe(1);
});
