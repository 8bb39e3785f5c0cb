import { testDatabase } from '@monque/test-servers/vitest';
import { beforeEach, expect, test } from 'vitest';
import { openStore, PAST, toClaim, toInserts } from './open-store.js';
import { recordCommands } from './sent-commands.js';

const database = testDatabase();

beforeEach(async () => {
  await database.db.dropDatabase();
});

test.each([
  { count: 150, writes: 1 },
  { count: 500, writes: 2 },
])('$count jobs are claimed by $writes write(s), and finished by one', async ({ count, writes }) => {
  const { db, take } = recordCommands(database);
  const store = await openStore(db);
  await store.insert(toInserts(count));
  expect(take('insert')).toHaveLength(1);
  const { jobs } = await store.claim(await toClaim(store));
  expect(jobs).toHaveLength(count);
  expect(take('update')).toHaveLength(writes);
  const settled = await store.settle({
    at: await store.now(),
    items: jobs.map((job) => ({
      job,
      token: job.claimToken!,
      startedAt: PAST,
      outcome: { type: 'completed' },
    })),
  });
  expect(settled.every(({ applied }) => applied)).toBe(true);
  const [update, ...others] = take('update');
  expect(others).toEqual([]);
  expect(update?.updates).toHaveLength(1);
});

test('runs that began at different times share a write for every 8 ms, and are told as they are stored', async () => {
  const { db, take } = recordCommands(database);
  const store = await openStore(db);
  await store.insert(toInserts(100));
  const { jobs } = await store.claim(await toClaim(store));
  take('update');
  const settled = await store.settle({
    at: await store.now(),
    items: jobs.map((job, index) => ({
      job,
      token: job.claimToken!,
      startedAt: new Date(PAST.getTime() + index),
      outcome: { type: 'completed' },
    })),
  });
  const [update] = take('update');
  expect(update?.updates.length).toBeLessThanOrEqual(14);
  const stored = await store.get(jobs.map(({ _id }) => _id));
  for (const job of stored) {
    expect(settled.find((one) => one.job._id.equals(job._id))?.job).toEqual(job);
  }
});

test('a batch of every kind of outcome is one write command', async () => {
  const { db, take } = recordCommands(database);
  const store = await openStore(db);
  await store.insert(toInserts(6));
  const { jobs } = await store.claim(await toClaim(store));
  const at = await store.now();
  const outcomes = [
    { type: 'completed' },
    { type: 'completed', result: 1 },
    { type: 'retry', nextRunAt: PAST, failCount: 1, reason: 'broken' },
    { type: 'snoozed', nextRunAt: PAST },
    { type: 'failed', failCount: 1, reason: 'broken' },
    { type: 'cancelled' },
  ] as const;
  take('update');
  const settled = await store.settle({
    at,
    items: jobs.map((job, index) => ({
      job,
      token: job.claimToken!,
      startedAt: PAST,
      outcome: outcomes[index]!,
    })),
  });
  expect(settled.map(({ job }) => job.status)).toEqual([
    'completed',
    'completed',
    'pending',
    'pending',
    'failed',
    'cancelled',
  ]);
  expect(take('update')).toHaveLength(1);
});

test('writes ask for a majority, whatever the client is set to', async () => {
  const { db, take } = recordCommands(database);
  const store = await openStore(
    db.client.db(db.databaseName, { writeConcern: { w: 1 }, readPreference: 'secondary' }),
  );
  await store.insert(toInserts(1));
  expect(take('insert')[0]?.writeConcern).toEqual({ w: 'majority' });
  await store.claim(await toClaim(store));
  expect(take('update')[0]?.writeConcern).toEqual({ w: 'majority' });
});
