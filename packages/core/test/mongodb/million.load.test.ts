import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import { FUTURE, openStore, PAST, toClaim, toInserts } from './open-store.js';
import { explain, recordCommands } from './sent-commands.js';

const database = testDatabase();
const jobs = database.db.collection('monque_jobs');
const MILLION = 1_000_000;
const FAILED = 50;
let store: JobStore<ObjectId>;

/** The first eight digits of the ids; the number fills the other sixteen. */
const ID_PREFIX = '6760a123';

/** Lets the server itself write a million documents: twenty times faster than sending them. */
async function writeMillion(fields: object): Promise<void> {
  const seed = database.db.collection('seed');
  await seed.deleteMany({});
  await seed.insertMany(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  await seed
    .aggregate([
      { $set: { part: { $range: [0, MILLION / 1_000] } } },
      { $unwind: '$part' },
      { $set: { number: { $add: [{ $multiply: ['$index', MILLION / 1_000] }, '$part'] } } },
      {
        $project: {
          _id: {
            $toObjectId: { $concat: [ID_PREFIX, { $toString: { $toLong: { $add: ['$number', 1e15] } } }] },
          },
          name: { $literal: 'work' },
          data: { number: '$number' },
          failCount: { $literal: 0 },
          createdAt: { $add: [PAST, '$number'] },
          updatedAt: { $add: [PAST, '$number'] },
          ...fields,
        },
      },
      { $merge: { into: 'monque_jobs', whenMatched: 'fail' } },
    ])
    .toArray();
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const start = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - start };
}

/** The commands of one claim of 100 as the server executes them. */
async function claimOfHundred() {
  const { db, take } = recordCommands(database);
  const recorded = await openStore(db);
  const request = await toClaim(recorded, { wants: [{ name: 'work', limit: 100 }], total: 100 });
  take('find');
  const { answer, ms } = await timed(() => recorded.claim(request));
  const executions = await Promise.all(take('find').map((find) => explain(database.db, find)));
  const keysExamined = executions.reduce((sum, one) => sum + one.keysExamined, 0);
  return { claimed: answer.jobs, keysExamined, ms };
}

describe.skipIf(!database.available)('With a million completed jobs', () => {
  beforeAll(async () => {
    const run = { nextRunAt: PAST, executedAt: PAST, finishedAt: { $add: [PAST, 7] } };
    await writeMillion({ status: { $literal: 'completed' }, ...run });
    await jobs.updateMany({ 'data.number': { $lt: FAILED } }, { $set: { status: 'failed' } });
    store = await openStore(database.db);
  });

  test('a claim of 100 examines about 100 keys', async () => {
    await store.insert(toInserts(150));
    const { claimed, keysExamined } = await claimOfHundred();
    expect(claimed).toHaveLength(100);
    expect(keysExamined).toBeLessThan(110);
    await jobs.deleteMany({ status: { $in: ['pending', 'processing'] } });
  });

  test('counts are exact and take a fraction of a second', async () => {
    const { answer, ms } = await timed(() => store.counts());
    expect(answer).toEqual({
      byStatus: { completed: MILLION - FAILED, failed: FAILED },
      avgProcessingDurationMs: 7,
    });
    expect(ms).toBeLessThan(1_000);
    const { answer: byName, ms: msByName } = await timed(() => store.countsByName());
    expect(byName.get('work')).toEqual(answer);
    expect(msByName).toBeLessThan(1_000);
  });

  test.each(['id', 'createdAt', 'updatedAt', 'nextRunAt'] as const)(
    'the first page by %s takes a fraction of a second',
    async (by) => {
      for (const direction of ['asc', 'desc'] as const) {
        const { answer, ms } = await timed(() => store.page({ filter: {}, by, direction, limit: 100 }));
        expect(answer).toHaveLength(100);
        expect(ms).toBeLessThan(500);
      }
    },
  );

  test('the few jobs of another status are found in a fraction of a second, and changed', async () => {
    const filter = { statuses: ['failed'] } as const;
    const { answer, ms } = await timed(() =>
      store.page({ filter, by: 'createdAt', direction: 'desc', limit: 100 }),
    );
    expect(answer).toHaveLength(FAILED);
    expect(ms).toBeLessThan(500);
    const change = await timed(() => store.changeWhere(filter, { type: 'retry' }, PAST, 1_000));
    expect(change.answer).toBe(FAILED);
    expect(change.ms).toBeLessThan(500);
    await jobs.deleteMany({ status: 'pending' });
  });
});

describe.skipIf(!database.available)('With a million future jobs of any priority', () => {
  beforeAll(async () => {
    await database.db.dropDatabase();
    await writeMillion({
      status: { $literal: 'pending' },
      nextRunAt: { $literal: FUTURE },
      // Every kind: none at all, a few levels that many share, and one level for each.
      priority: {
        $cond: [
          { $eq: [{ $mod: ['$number', 3] }, 0] },
          { $mod: ['$number', 20] },
          {
            $cond: [{ $eq: [{ $mod: ['$number', 3] }, 1] }, { $subtract: ['$number', 500_000] }, '$$REMOVE'],
          },
        ],
      },
    });
    store = await openStore(database.db);
  });

  test('a claim of 100 examines about 100 keys', async () => {
    await store.insert(toInserts(90, (index) => (index % 2 === 0 ? { priority: index } : {})));
    const { claimed, keysExamined, ms } = await claimOfHundred();
    expect(claimed).toHaveLength(90);
    expect(keysExamined).toBeLessThan(110);
    expect(ms).toBeLessThan(500);
  });

  test('a claim of 100 out of many due jobs with priorities is quick too', async () => {
    await store.insert(toInserts(1_000, (index) => ({ priority: 600_000 + (index % 10) })));
    const { claimed, keysExamined, ms } = await claimOfHundred();
    expect(claimed.map(({ priority }) => priority)).toEqual(Array(100).fill(600_009));
    expect(keysExamined).toBeLessThan(500);
    expect(ms).toBeLessThan(500);
  });

  test('the next due time takes a moment', async () => {
    const { ms } = await timed(() => store.nextDueAt(['work'], new Date()));
    expect(ms).toBeLessThan(500);
  });
});
