import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import type { StoredJob } from '../../src/store/query-types.js';
import type { Outcome, Settled } from '../../src/store/settle-types.js';
import { besideUpdates } from './between-steps.js';
import { FUTURE, openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');
const CANCEL = { type: 'cancel', running: true } as const;

describe.skipIf(!available)('When a batch of outcomes is not stored as a whole', () => {
  let store: JobStore<ObjectId>;

  beforeEach(async () => {
    await jobs.deleteMany({});
    store = await openStore(db);
  });

  async function claimed(): Promise<StoredJob<ObjectId>[]> {
    return (await store.claim(await toClaim(store))).jobs;
  }

  async function settle(
    claims: readonly StoredJob<ObjectId>[],
    outcomes: readonly Outcome[],
    startedAt = PAST,
  ): Promise<Settled<ObjectId>[]> {
    const items = claims.map((job, index) => ({
      job,
      token: job.claimToken!,
      startedAt,
      outcome: outcomes[index]!,
    }));
    return store.settle({ at: await store.now(), items });
  }

  test('those that were, and changed at once, count as stored', async () => {
    await store.insert([...toInserts(3), toInsert({ repeatInterval: '* * * * *' })]);
    const [lost, failed, retried, series] = await claimed();
    await store.change([lost!._id], CANCEL, PAST);
    besideUpdates('bulkWrite', {
      async after() {
        await store.change([failed!._id], { type: 'retry' }, FUTURE);
        expect(await claimed()).toHaveLength(2);
      },
    });
    const settled = await settle(
      [lost!, failed!, retried!, series!],
      [
        { type: 'completed' },
        { type: 'failed', failCount: 1, reason: 'broken' },
        { type: 'retry', nextRunAt: PAST, failCount: 1, reason: 'broken' },
        { type: 'failed', failCount: 1, reason: 'broken', nextRunAt: new Date(PAST.getTime() + 1) },
      ],
    );
    expect(settled.map(({ applied }) => applied)).toEqual([false, true, true, true]);
    expect(await store.get([settled[3]!.job._id])).toMatchObject([
      { status: 'failed', failReason: 'broken' },
    ]);
  });

  test('one that was not does not pass for the run before it', async () => {
    await store.insert(toInserts(1));
    await settle(await claimed(), [{ type: 'retry', nextRunAt: PAST, failCount: 1, reason: 'broken' }]);
    const [again] = await claimed();
    await store.release([{ id: again!._id, token: again!.claimToken! }], PAST);
    const [settled] = await settle([again!], [{ type: 'completed' }], new Date(PAST.getTime() + 3));
    expect(settled).toEqual({ applied: false, job: again });
  });

  test('the copy of a series whose claim was given back in between is removed', async () => {
    await store.insert([toInsert({ repeatInterval: '* * * * *' })]);
    const [series] = await claimed();
    const held = { id: series!._id, token: series!.claimToken! };
    besideUpdates('bulkWrite', { before: () => store.release([held], PAST) });
    const outcome = { type: 'failed', failCount: 1, reason: 'broken', nextRunAt: FUTURE } as const;
    expect(await settle([series!], [outcome])).toMatchObject([{ applied: false }]);
    expect(await jobs.countDocuments()).toBe(1);
  });

  test('the copy of a series that has moved on is kept, whoever moved it', async () => {
    await store.insert([toInsert({ repeatInterval: '* * * * *' })]);
    const [series] = await claimed();
    const later = new Date(PAST.getTime() + 1);
    besideUpdates('bulkWrite', {
      async after() {
        const [next] = await claimed();
        await settle([next!], [{ type: 'repeat', nextRunAt: FUTURE }], await store.now());
        await jobs.updateOne({ _id: series!._id }, { $set: { executedAt: await store.now() } });
      },
    });
    const lost = { ...series!, _id: new (series!._id.constructor as new () => ObjectId)() };
    const outcome = { type: 'failed', failCount: 1, reason: 'broken', nextRunAt: later } as const;
    await settle([series!, lost], [outcome, { type: 'completed' }]);
    expect(await jobs.countDocuments({ status: 'failed' })).toBe(1);
  });
});
