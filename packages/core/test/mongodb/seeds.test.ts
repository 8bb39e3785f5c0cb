import { testDatabase } from '@monque/test-servers/vitest';
import { type Document, ObjectId } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import { openStore, PAST, toClaim, toInsert } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');
let store: JobStore<ObjectId>;

/** The sample documents of the specification, as they stand there. */
const SAMPLES: Record<string, Document> = {
  oneOff: {
    _id: new ObjectId('6760a1234567890abcdef123'),
    name: 'send-email',
    data: { to: 'user@example.com', subject: 'Welcome!', template: 'welcome' },
    status: 'pending',
    nextRunAt: new Date('2025-12-16T10:30:00.000Z'),
    lockedAt: null,
    failCount: 0,
    createdAt: new Date('2025-12-16T10:29:55.000Z'),
    updatedAt: new Date('2025-12-16T10:29:55.000Z'),
  },
  recurring: {
    _id: new ObjectId('6760a1234567890abcdef456'),
    name: 'daily-report',
    data: { reportType: 'sales' },
    status: 'pending',
    nextRunAt: new Date('2025-12-17T00:00:00.000Z'),
    lockedAt: null,
    failCount: 0,
    repeatInterval: '0 0 * * *',
    createdAt: new Date('2025-12-16T08:00:00.000Z'),
    updatedAt: new Date('2025-12-16T08:00:00.000Z'),
  },
  processing: {
    _id: new ObjectId('6760a1234567890abcdef789'),
    name: 'sync-user',
    data: { userId: 'user-123' },
    status: 'processing',
    nextRunAt: new Date('2025-12-16T10:30:00.000Z'),
    lockedAt: new Date('2025-12-16T10:30:01.000Z'),
    failCount: 0,
    uniqueKey: 'sync-user-123',
    createdAt: new Date('2025-12-16T10:29:50.000Z'),
    updatedAt: new Date('2025-12-16T10:30:01.000Z'),
  },
  failed: {
    _id: new ObjectId('6760a1234567890abcdefabc'),
    name: 'process-payment',
    data: { orderId: 'order-456', amount: 99.99 },
    status: 'failed',
    nextRunAt: new Date('2025-12-16T11:00:00.000Z'),
    lockedAt: null,
    failCount: 10,
    failReason: 'Payment gateway timeout after 10 attempts',
    createdAt: new Date('2025-12-16T09:00:00.000Z'),
    updatedAt: new Date('2025-12-16T11:00:00.000Z'),
  },
};

/** The specification's queries, as any program may run them. */
const byHand = {
  claim: (name: string, now: Date) =>
    jobs.findOneAndUpdate(
      {
        name,
        status: 'pending',
        nextRunAt: { $lte: now },
        $or: [{ claimedBy: null }, { claimedBy: { $exists: false } }],
      },
      {
        $set: {
          status: 'processing',
          claimedBy: 'by-hand',
          lockedAt: now,
          lastHeartbeat: now,
          heartbeatInterval: 30_000,
          updatedAt: now,
        },
      },
      { sort: { nextRunAt: 1 }, returnDocument: 'after' },
    ),
  heartbeat: (owner: string, now: Date) =>
    jobs.updateMany(
      { claimedBy: owner, status: 'processing' },
      { $set: { lastHeartbeat: now, updatedAt: now } },
    ),
  recover: (threshold: Date) =>
    jobs.updateMany(
      { status: 'processing', lockedAt: { $lt: threshold } },
      {
        $set: { status: 'pending', updatedAt: new Date() },
        $unset: { lockedAt: '', claimedBy: '', lastHeartbeat: '', heartbeatInterval: '' },
      },
    ),
  enqueueUnique: (name: string, uniqueKey: string) =>
    jobs.findOneAndUpdate(
      { name, uniqueKey, status: { $in: ['pending', 'processing'] } },
      {
        $setOnInsert: { data: {}, nextRunAt: PAST, failCount: 0, createdAt: PAST, updatedAt: PAST },
      },
      { upsert: true, returnDocument: 'after' },
    ),
};

async function claimWork(names: string[] = ['work']) {
  const claimed = await store.claim(
    await toClaim(store, { wants: names.map((name) => ({ name, limit: 10 })) }),
  );
  return claimed.jobs;
}

describe.skipIf(!available)("Beside the specification's documents and queries", () => {
  beforeEach(async () => {
    store = await openStore(db);
    await jobs.deleteMany({});
  });

  test('the sample documents are claimed and settled, and keep no trace of it', async () => {
    await jobs.insertMany(Object.values(SAMPLES).map((sample) => ({ ...sample })));
    const names = Object.values(SAMPLES).map(({ name }) => name);
    expect((await claimWork(names)).map(({ name }) => name)).toEqual(['send-email', 'daily-report']);

    // The claimed sample is older than any patience.
    expect(
      await store.recover({ now: await store.now(), lockTimeout: 1_000, legacyLockTimeout: 60_000 }),
    ).toBe(1);
    const [synced] = await claimWork(names);
    expect(synced).toMatchObject({ name: 'sync-user', uniqueKey: 'sync-user-123' });
    const at = await store.now();
    const [settled] = await store.settle({
      at,
      items: [{ job: synced!, token: synced!.claimToken!, startedAt: at, outcome: { type: 'completed' } }],
    });
    expect(settled?.applied).toBe(true);
    const { lockedAt: _, updatedAt: __, ...sample } = SAMPLES.processing!;
    expect(await jobs.findOne({ name: 'sync-user' })).toEqual({
      ...sample,
      status: 'completed',
      updatedAt: at,
      finishedAt: at,
      executedAt: at,
    });

    const [retried] = await store.change([SAMPLES.failed!._id], { type: 'retry' }, at);
    expect(retried).toMatchObject({ previousStatus: 'failed', job: { failCount: 0, nextRunAt: at } });
  });

  test('a new job looks exactly like the sample of one', async () => {
    await store.insert([toInsert({ data: { to: 'Ada' } })]);
    const { _id, ...stored } = (await jobs.findOne({}))!;
    expect(_id).toBeInstanceOf(ObjectId);
    expect(stored).toEqual({
      name: 'work',
      data: { to: 'Ada' },
      status: 'pending',
      nextRunAt: PAST,
      failCount: 0,
      createdAt: PAST,
      updatedAt: PAST,
    });
  });

  test('a job that was claimed by hand is not claimed again, and the other way round', async () => {
    await store.insert([
      toInsert({ data: 1 }),
      toInsert({ data: 2, nextRunAt: new Date(PAST.getTime() + 1) }),
    ]);
    expect((await byHand.claim('work', await store.now()))?.data).toBe(1);
    expect((await claimWork()).map(({ data }) => data)).toEqual([2]);
    expect(await byHand.claim('work', await store.now())).toBeNull();
  });

  test('a heartbeat by hand keeps a claim of ours, whose own outcome still counts', async () => {
    await store.insert([toInsert()]);
    const [job] = await claimWork();
    await byHand.heartbeat('owner', await store.now());
    expect(await store.verify('owner', [{ id: job!._id, token: job!.claimToken! }])).toEqual([]);
  });

  test('a recovery by hand takes nothing that is renewed, and what it takes can be claimed again', async () => {
    await store.insert([toInsert()]);
    const [job] = await claimWork();
    const claim = { id: job!._id, token: job!.claimToken! };
    const beforeRenewal = await store.now();
    await expect.poll(async () => await store.now()).not.toEqual(beforeRenewal);
    expect(await store.renew('owner', [claim])).toEqual([]);
    expect((await byHand.recover(beforeRenewal)).modifiedCount).toBe(0);

    // The process dies; somebody recovers by hand, which leaves our token behind.
    await jobs.updateOne({}, { $set: { lockedAt: PAST } });
    expect((await byHand.recover(beforeRenewal)).modifiedCount).toBe(1);
    expect(await store.verify('owner', [claim])).toMatchObject([{ reason: 'taken' }]);
    const late = { job: job!, token: claim.token, startedAt: PAST, outcome: { type: 'completed' as const } };
    expect(await store.settle({ at: await store.now(), items: [late] })).toMatchObject([{ applied: false }]);
    expect(await claimWork()).toHaveLength(1);
  });

  test("an older Monque's claim is left alone for its own, longer time", async () => {
    await store.insert([toInsert(), toInsert()]);
    const now = await store.now();
    const minuteAgo = new Date(now.getTime() - 60_000);
    await byHand.claim('work', minuteAgo);
    const request = { now, lockTimeout: 10_000 };
    expect(await store.recover({ ...request, legacyLockTimeout: 120_000 })).toBe(0);
    expect(await store.recover({ ...request, legacyLockTimeout: 30_000 })).toBe(1);
  });

  test('a job that others claimed without saying when is given back in the end', async () => {
    const { lockedAt: _, ...unlocked } = SAMPLES.processing!;
    await jobs.insertMany([
      { ...unlocked },
      { ...unlocked, _id: new ObjectId(), uniqueKey: 'other', lockedAt: null },
    ]);
    const request = { now: await store.now(), lockTimeout: 1_000 };
    expect(await store.recover({ ...request, legacyLockTimeout: 100 * 365 * 86_400_000 })).toBe(0);
    expect(await store.recover({ ...request, legacyLockTimeout: 60_000 })).toBe(2);
  });

  test('a unique job that was stored by hand is found, and ours is found by hand', async () => {
    const theirs = await jobs.findOneAndUpdate(
      { name: 'work', uniqueKey: 'theirs', status: { $in: ['pending', 'processing'] } },
      {
        $setOnInsert: {
          status: 'pending',
          data: 'theirs',
          nextRunAt: PAST,
          failCount: 0,
          createdAt: PAST,
          updatedAt: PAST,
        },
      },
      { upsert: true, returnDocument: 'after' },
    );
    const [answer] = await store.insert([toInsert({ uniqueKey: 'theirs' })]);
    expect(answer).toMatchObject({ outcome: 'existing', job: { _id: theirs?._id, data: 'theirs' } });

    const [ours] = await store.insert([toInsert({ uniqueKey: 'ours' })]);
    const found = await byHand.enqueueUnique('work', 'ours');
    expect(found?._id).toEqual(ours?.job._id);
    expect(await jobs.countDocuments()).toBe(2);
  });
});
