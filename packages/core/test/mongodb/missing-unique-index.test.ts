import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Inserted, NewJob } from '../../src/store/insert-types.js';
import type { JobStore } from '../../src/store/port.js';
import { FUTURE, openStore, toClaim, toInsert } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');

async function insertOne(
  store: JobStore<ObjectId>,
  parts: Partial<NewJob> = {},
  onDuplicate: 'keep' | 'replace' = 'keep',
): Promise<Inserted<ObjectId>> {
  const { job } = toInsert({ uniqueKey: 'key', ...parts });
  const [inserted] = await store.insert([{ job, onDuplicate }]);
  return inserted!;
}

describe.skipIf(!available)('Without the unique index', () => {
  beforeEach(async () => {
    await db.dropDatabase();
  });

  test('a store that must not create it finds the existing job all the same', async () => {
    const store = await openStore(db, { skipIndexCreation: true });
    const first = await insertOne(store, { data: 1 });
    const second = await insertOne(store, { data: 2 });
    expect([first.outcome, second.outcome]).toEqual(['inserted', 'existing']);
    expect(second.job).toEqual(first.job);
    const batch = await store.insert([
      toInsert({ uniqueKey: 'other' }),
      toInsert(),
      toInsert({ uniqueKey: 'other' }),
      toInsert({ uniqueKey: 'key', status: 'created' }),
    ]);
    expect(batch.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'existing', 'existing']);
    expect(await insertOne(store, { data: 3 }, 'replace')).toMatchObject({
      outcome: 'replaced',
      job: { data: 3 },
    });
    expect(await jobs.countDocuments()).toBe(3);
  });

  test('a request that is sent again is the same job', async () => {
    const store = await openStore(db, { skipIndexCreation: true });
    const request = toInsert({ uniqueKey: 'key' });
    const [first] = await store.insert([request]);
    expect((await store.insert([request]))[0]).toEqual(first);
    await jobs.updateOne({}, { $set: { status: 'completed' } });
    expect((await store.insert([request]))[0]).toMatchObject({ outcome: 'inserted' });
    expect(await jobs.countDocuments()).toBe(1);
  });

  test('a producer whose database was dropped notices it, and keeps keys unique from then on', async () => {
    const store = await openStore(db);
    await db.dropDatabase();
    // Within a second of its last look the producer relies on the index, and stores the key more than once.
    await insertOne(store, { nextRunAt: FUTURE });
    await expect
      .poll(async () => (await insertOne(store, { nextRunAt: FUTURE })).outcome, { timeout: 5_000 })
      .toBe('existing');
    expect((await insertOne(store)).outcome).toBe('existing');
  });

  test('it is made again as soon as a producer notices that it is gone', async () => {
    const store = await openStore(db);
    await db.dropDatabase();
    let number = 0;
    const isThere = async () => {
      number += 1;
      await insertOne(store, { uniqueKey: `key-${number}` });
      return 'name_1_uniqueKey_1' in (await jobs.indexInformation());
    };
    await expect.poll(isThere, { timeout: 5_000 }).toBe(true);
    expect((await insertOne(store, { uniqueKey: 'key-1' })).outcome).toBe('existing');
  });

  test('duplicates that keep it from being made keep nobody from claiming', async () => {
    const store = await openStore(db);
    await db.dropDatabase();
    const twice = toInsert({ uniqueKey: 'key' }).job;
    await jobs.insertMany([{ ...twice }, { ...twice }]);
    const { jobs: claimed } = await store.claim(await toClaim(store));
    expect(claimed).toHaveLength(2);
    expect(await store.counts()).toEqual({ byStatus: { processing: 2 } });
    expect(await jobs.indexInformation()).toHaveProperty('name_1_status_1_nextRunAt_1_claimedBy_1');
    expect((await insertOne(store)).outcome).toBe('existing');
  });
});
