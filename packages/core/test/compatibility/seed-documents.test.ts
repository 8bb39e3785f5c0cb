import { testDatabase } from '@monque/test-servers/vitest';
import { BSON, type Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { getNextCronDate } from '../../src/job/cron.js';
import type { PersistedJob } from '../../src/job/job.js';
import { Monque } from '../../src/monque.js';

/** The sample documents of the specification, letter by letter. */
const PENDING = `{
  "_id": { "$oid": "6760a1234567890abcdef123" },
  "name": "send-email",
  "data": {
    "to": "user@example.com",
    "subject": "Welcome!",
    "template": "welcome"
  },
  "status": "pending",
  "nextRunAt": { "$date": "2025-12-16T10:30:00.000Z" },
  "lockedAt": null,
  "failCount": 0,
  "createdAt": { "$date": "2025-12-16T10:29:55.000Z" },
  "updatedAt": { "$date": "2025-12-16T10:29:55.000Z" }
}`;
const RECURRING = `{
  "_id": { "$oid": "6760a1234567890abcdef456" },
  "name": "daily-report",
  "data": { "reportType": "sales" },
  "status": "pending",
  "nextRunAt": { "$date": "2025-12-17T00:00:00.000Z" },
  "lockedAt": null,
  "failCount": 0,
  "repeatInterval": "0 0 * * *",
  "createdAt": { "$date": "2025-12-16T08:00:00.000Z" },
  "updatedAt": { "$date": "2025-12-16T08:00:00.000Z" }
}`;
const PROCESSING = `{
  "_id": { "$oid": "6760a1234567890abcdef789" },
  "name": "sync-user",
  "data": { "userId": "user-123" },
  "status": "processing",
  "nextRunAt": { "$date": "2025-12-16T10:30:00.000Z" },
  "lockedAt": { "$date": "2025-12-16T10:30:01.000Z" },
  "failCount": 0,
  "uniqueKey": "sync-user-123",
  "createdAt": { "$date": "2025-12-16T10:29:50.000Z" },
  "updatedAt": { "$date": "2025-12-16T10:30:01.000Z" }
}`;
const FAILED = `{
  "_id": { "$oid": "6760a1234567890abcdefabc" },
  "name": "process-payment",
  "data": { "orderId": "order-456", "amount": 99.99 },
  "status": "failed",
  "nextRunAt": { "$date": "2025-12-16T11:00:00.000Z" },
  "lockedAt": null,
  "failCount": 10,
  "failReason": "Payment gateway timeout after 10 attempts",
  "createdAt": { "$date": "2025-12-16T09:00:00.000Z" },
  "updatedAt": { "$date": "2025-12-16T11:00:00.000Z" }
}`;

const CLAIM_FIELDS = ['lockedAt', 'claimedBy', 'lastHeartbeat', 'heartbeatInterval', 'claimToken'];

const sample = (text: string): Document => BSON.EJSON.parse(text);

describe.each(['replicaSet', 'standalone'] as const)('The sample documents, on a %s', (topology) => {
  const { db } = testDatabase(topology);
  const jobs = db.collection('monque_jobs');
  const ids = [PENDING, RECURRING, PROCESSING, FAILED].map((text) => sample(text)._id);
  const [pendingId, recurringId, processingId, failedId] = ids;

  beforeEach(async () => {
    await jobs.deleteMany({});
    await jobs.insertMany([PENDING, RECURRING, PROCESSING, FAILED].map(sample));
  });

  /** An initialised instance that has a worker for each sample, and what its handlers get. */
  function prepare(): { monque: Monque; handled: PersistedJob[]; recovered: number[] } {
    const monque = new Monque(db);
    const handled: PersistedJob[] = [];
    const recovered: number[] = [];
    for (const name of ['send-email', 'daily-report', 'sync-user', 'process-payment']) {
      monque.register(name, (job) => void handled.push(job));
    }
    monque.on('stale:recovered', ({ count }) => recovered.push(count));
    return { monque, handled, recovered };
  }

  test('are processed: the pending ones, and the one whose process has died', async () => {
    const { monque, handled, recovered } = prepare();
    await using _ = monque;
    await monque.initialize();
    expect(recovered).toEqual([1]);
    const begin = new Date();
    expect(await monque.drain()).toEqual({ completed: 3, failed: 0, other: 0 });

    const data = Object.fromEntries(handled.map((job) => [String(job._id), job.data]));
    expect(data).toEqual({
      [String(pendingId)]: sample(PENDING).data,
      [String(recurringId)]: sample(RECURRING).data,
      [String(processingId)]: sample(PROCESSING).data,
    });
    expect(await jobs.findOne({ _id: pendingId })).toMatchObject({ status: 'completed', failCount: 0 });
    expect(await jobs.findOne({ _id: processingId })).toMatchObject({
      status: 'completed',
      uniqueKey: 'sync-user-123',
    });
    const recurring = await jobs.findOne({ _id: recurringId });
    expect(recurring).toMatchObject({ status: 'pending', failCount: 0, repeatInterval: '0 0 * * *' });
    expect([getNextCronDate('0 0 * * *', begin), getNextCronDate('0 0 * * *')]).toContainEqual(
      recurring!.nextRunAt,
    );
    for (const _id of [pendingId, recurringId, processingId]) {
      const keys = Object.keys((await jobs.findOne({ _id }))!);
      expect(keys.filter((key) => CLAIM_FIELDS.includes(key))).toEqual([]);
    }
    // A failed job is kept as it is.
    expect(await jobs.findOne({ _id: failedId })).toEqual(sample(FAILED));
  });

  test('run on a started instance too', async () => {
    const { monque, handled } = prepare();
    await using _ = monque;
    await monque.initialize();
    monque.start();
    await monque.waitForJob(pendingId, { timeout: 5_000 });
    await monque.waitForJob(processingId, { timeout: 5_000 });
    await monque.stop();
    expect(handled).toHaveLength(3);
  });

  test('can be retried after they have failed', async () => {
    const { monque, handled } = prepare();
    await using _ = monque;
    await monque.initialize();
    const retried = await monque.retryJob(failedId);
    expect(retried).toMatchObject({ status: 'pending', failCount: 0 });
    expect(retried).not.toHaveProperty('failReason');
    await monque.drain();
    expect(handled.map(({ _id }) => String(_id))).toContain(String(failedId));
    expect(await jobs.findOne({ _id: failedId })).toMatchObject({ status: 'completed', failCount: 0 });
  });

  test('are found by every query, and keep their unique key', async () => {
    const { monque } = prepare();
    await using _ = monque;
    await monque.initialize();
    expect(await monque.getQueueStats()).toMatchObject({ pending: 3, processing: 0, failed: 1, total: 4 });
    expect((await monque.getJobsWithCursor()).jobs.map(({ _id }) => _id)).toEqual(ids);
    expect(await monque.getJob(String(failedId))).toEqual(sample(FAILED));
    const duplicate = await monque.enqueue('sync-user', { userId: 'new' }, { uniqueKey: 'sync-user-123' });
    expect(duplicate).toMatchObject({ _id: processingId, data: { userId: 'user-123' } });
    expect(await monque.cancelJob(pendingId)).toMatchObject({ status: 'cancelled' });
    expect(await monque.deleteJob(recurringId)).toBe(true);
  });
});
