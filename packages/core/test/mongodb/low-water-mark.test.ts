import type { JobStore, StoredJob } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';
import { recordCommands } from './sent-commands.js';

const database = testDatabase();
const BATCH = 1_000;
/** More than a store sees before it begins to use the mark, and a backlog behind it. */
const BACKLOG = 9 * BATCH;

const at = (ms: number) => new Date(PAST.getTime() + ms);

describe.skipIf(!database.available)('With a backlog, of which much was claimed a moment ago', () => {
  let store: JobStore<ObjectId>;
  let take: ReturnType<typeof recordCommands>['take'];
  let now: Date;

  beforeEach(async () => {
    await database.db.dropDatabase();
    const recorded = recordCommands(database);
    take = recorded.take;
    store = await openStore(recorded.db);
    await store.insert(toInserts(BACKLOG, (index) => ({ nextRunAt: at(index), data: index })));
    now = await store.now();
    for (let taken = 0; taken < 7 * BATCH; taken += BATCH) await claimBatch();
  });

  async function claimBatch(): Promise<StoredJob<ObjectId>[]> {
    const wants = [{ name: 'work', limit: BATCH }];
    return (await store.claim(await toClaim(store, { wants, total: BATCH, now }))).jobs;
  }

  /** The lower bounds of the looks at jobs without a priority. */
  function bounds(): unknown[] {
    return take('find')
      .filter(({ filter }) => filter.priority === null)
      .map(({ filter }) => filter.nextRunAt.$gte);
  }

  test('a claim begins to look where the latest one began, and takes the next jobs in their order', async () => {
    take('find');
    const jobs = await claimBatch();
    expect(bounds()).toEqual([at(6 * BATCH)]);
    expect(jobs.map(({ data }) => data)).toEqual(
      Array.from({ length: BATCH }, (_, index) => 7 * BATCH + index),
    );
  });

  test('a job with an earlier time, stored late, is found within a second', async () => {
    await store.insert([toInsert({ nextRunAt: PAST, data: 'late' })]);
    expect((await claimBatch()).map(({ data }) => data)).not.toContain('late');
    now = new Date(now.getTime() + 1_000);
    expect((await claimBatch()).map(({ data }) => data)).toContain('late');
  });

  test('a job with an earlier time is found at once when the backlog ends', async () => {
    await store.insert([toInsert({ nextRunAt: PAST, data: 'late' })]);
    const rest = [...(await claimBatch()), ...(await claimBatch())];
    expect(rest).toHaveLength(2 * BATCH);
    expect([...rest, ...(await claimBatch())].map(({ data }) => data)).toContain('late');
  });

  test('other names are looked for everywhere', async () => {
    await store.insert([toInsert({ name: 'other', nextRunAt: PAST })]);
    take('find');
    const wants = [{ name: 'other', limit: 5 }];
    const { jobs } = await store.claim(await toClaim(store, { wants, total: 5, now }));
    expect(jobs).toHaveLength(1);
    expect(bounds()).toEqual([undefined]);
  });
});
