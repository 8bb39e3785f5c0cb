import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import { FUTURE, openStore, PAST, toClaim, toInserts } from './open-store.js';
import { explain, recordCommands } from './sent-commands.js';

// The standalone server: it writes no log of operations, so that a million documents take half the time.
const database = testDatabase('standalone');
const MILLION = 1_000_000;
let store: JobStore<ObjectId>;

/** The first eight digits of the ids; the number fills the other sixteen. */
const ID_PREFIX = '6760a123';

/** Lets the server itself write a million documents: twenty times faster than sending them. */
async function writeMillion(): Promise<void> {
  const seed = database.db.collection('seed');
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
          status: { $literal: 'pending' },
          nextRunAt: { $literal: FUTURE },
          // Every kind: none at all, a few levels that many share, and one level for each.
          priority: {
            $cond: [
              { $eq: [{ $mod: ['$number', 3] }, 0] },
              { $mod: ['$number', 20] },
              {
                $cond: [
                  { $eq: [{ $mod: ['$number', 3] }, 1] },
                  { $subtract: ['$number', 500_000] },
                  '$$REMOVE',
                ],
              },
            ],
          },
        },
      },
      { $out: 'monque_jobs' },
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

describe.skipIf(!database.available)('With a million future jobs of any priority', () => {
  beforeAll(async () => {
    await writeMillion();
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
