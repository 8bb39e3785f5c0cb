import { testDatabase } from '@monque/test-servers/vitest';
import type { CreateIndexesOptions, IndexSpecification } from 'mongodb';
import { beforeEach, expect, test } from 'vitest';
import { openStore, toClaim, toInsert } from './open-store.js';
import { recordCommands } from './sent-commands.js';

const database = testDatabase();
const { db } = database;
const jobs = db.collection('monque_jobs');

beforeEach(async () => {
  await db.dropDatabase();
});

const CONTRACT = [
  'status_1_nextRunAt_1',
  'name_1_uniqueKey_1',
  'name_1_status_1',
  'claimedBy_1_status_1',
  'lastHeartbeat_1_status_1',
  'lockedAt_1_lastHeartbeat_1_status_1',
  'name_1_status_1_nextRunAt_1_claimedBy_1',
  'createdAt_1__id_1',
  'updatedAt_1__id_1',
  'nextRunAt_1__id_1',
];

/** What we add: each holds only jobs with a priority, or jobs that are tied to others. */
const ADDED = [
  'name_1_nextRunAt_1',
  'name_1_priority_-1_nextRunAt_1',
  'parentJobId_1_status_1',
  'batchId_1_status_1_awaitsBatchId_1',
  'status_1__id_1',
];

async function indexNames(): Promise<string[]> {
  return Object.keys(await jobs.indexInformation());
}

test('Opening creates all indexes in one background call, and the one for retention only where it is set', async () => {
  const { db: recorded, take } = recordCommands(database);
  await openStore(recorded);
  const [command, ...others] = take('createIndexes');
  expect(others).toEqual([]);
  expect(command?.indexes.every(({ background }: CreateIndexesOptions) => background === true)).toBe(true);
  expect(await indexNames()).toEqual(expect.arrayContaining(CONTRACT));
  expect(await indexNames()).not.toContain('status_1_updatedAt_1');
  await openStore(recorded, { retention: true });
  expect(await indexNames()).toContain('status_1_updatedAt_1');
});

test('Opening again creates nothing', async () => {
  await openStore(db);
  const { db: recorded, take } = recordCommands(database);
  await openStore(recorded);
  expect(take('createIndexes')).toEqual([]);
});

test('Many processes that open at once all succeed', async () => {
  await Promise.all(Array.from({ length: 8 }, () => openStore(db)));
  expect(new Set(await indexNames())).toEqual(new Set([...CONTRACT, ...ADDED, '_id_']));
});

test.each<{ title: string; options: CreateIndexesOptions }>([
  { title: 'plain', options: {} },
  { title: 'plain under a name of its own', options: { name: 'mine' } },
  { title: 'partial in another way', options: { partialFilterExpression: { name: 'other' } } },
])('An index that exists is adopted, and claims work: $title', async ({ options }) => {
  const key: IndexSpecification = { name: 1, status: 1, nextRunAt: 1, claimedBy: 1 };
  await jobs.createIndex(key, options);
  const store = await openStore(db);
  const same = (await jobs.indexes()).filter((index) => JSON.stringify(index.key) === JSON.stringify(key));
  expect(same).toHaveLength(1);
  await store.insert([toInsert(), toInsert({ priority: 3 }), toInsert({ priority: -3 })]);
  const { jobs: claimed } = await store.claim(await toClaim(store));
  expect(claimed.map(({ priority }) => priority)).toEqual([3, undefined, -3]);
  expect(await store.nextDueAt(['work'], new Date(0))).toBeUndefined();
});

test('All indexes of an earlier release are adopted as they are', async () => {
  const unique = {
    unique: true,
    partialFilterExpression: { uniqueKey: { $exists: true }, status: { $in: ['pending', 'processing'] } },
  };
  await jobs.createIndex({ name: 1, uniqueKey: 1 }, unique);
  const plain = CONTRACT.filter((name) => name !== 'name_1_uniqueKey_1');
  for (const name of plain) {
    const fields = name
      .replaceAll('_1', '')
      .replace('__id', '__id')
      .split(/_(?!id)/);
    await jobs.createIndex(fields.map((field): [string, 1] => [field, 1]));
  }
  const before = await jobs.indexes();
  await openStore(db);
  expect(await jobs.indexes()).toEqual(expect.arrayContaining(before));
  expect(await indexNames()).toHaveLength(before.length + ADDED.length);
});

test('An index on the unique key that is not unique does not do', async () => {
  await jobs.createIndex({ name: 1, uniqueKey: 1 });
  const store = await openStore(db);
  const both = await store.insert([toInsert({ uniqueKey: 'a' }), toInsert({ uniqueKey: 'a' })]);
  expect(both.map(({ outcome }) => outcome)).toEqual(['inserted', 'existing']);
});

test('With skipIndexCreation there are none, and everything works', async () => {
  const store = await openStore(db, { skipIndexCreation: true });
  await store.insert([toInsert(), toInsert({ priority: 3 })]);
  expect(await indexNames()).toEqual(['_id_']);
  expect((await store.claim(await toClaim(store))).jobs).toHaveLength(2);
  expect((await store.counts()).byStatus).toEqual({ processing: 2 });
});

test('A finished job is in the indexes for paging and for counting only', async () => {
  await openStore(db);
  const full = (await jobs.indexes()).filter(({ partialFilterExpression }) => !partialFilterExpression);
  expect(full.map(({ name }) => name).sort()).toEqual(
    ['_id_', 'createdAt_1__id_1', 'name_1_status_1', 'nextRunAt_1__id_1', 'updatedAt_1__id_1'].sort(),
  );
});

test.each(['indexes', 'collection', 'database'] as const)(
  'A running store makes its indexes again when someone drops the %s',
  async (what) => {
    const store = await openStore(db);
    await store.insert([toInsert()]);
    if (what === 'indexes') await jobs.dropIndexes();
    else if (what === 'collection') await jobs.drop();
    else await db.dropDatabase();
    await store.insert([toInsert(), toInsert({ priority: 1 })]);
    const { jobs: claimed } = await store.claim(await toClaim(store));
    expect(claimed).toHaveLength(what === 'indexes' ? 3 : 2);
    expect(await store.counts()).toMatchObject({ byStatus: { processing: claimed.length } });
    expect(await indexNames()).toEqual(expect.arrayContaining(CONTRACT));
  },
);

test('A store that could not be opened can be opened later', async () => {
  // A duplicate keeps the unique index from being made.
  const twice = { name: 'work', uniqueKey: 'a', status: 'pending' };
  await jobs.insertMany([{ ...twice }, { ...twice }]);
  await expect(openStore(db)).rejects.toMatchObject({ code: 11_000 });
  await jobs.deleteMany({});
  const store = await openStore(db);
  await store.insert([toInsert()]);
  expect((await store.claim(await toClaim(store))).jobs).toHaveLength(1);
});
