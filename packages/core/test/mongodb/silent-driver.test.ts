import { testDatabase } from '@monque/test-servers/vitest';
import { Collection, type ObjectId } from 'mongodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answered } from '../../src/mongodb/answered.js';
import type { JobStore } from '../../src/store/port.js';
import { FUTURE, openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');

type Kind = 'insertOne' | 'updateMany' | 'bulkWrite' | 'createIndex';

/** The driver loses the next operation of this kind: it is never sent, answered or rejected. The store gives it up. */
async function expectNoAnswer(kind: Kind, operation: () => Promise<unknown>): Promise<void> {
  const spy = vi.spyOn(Collection.prototype, kind);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    spy.mockRestore();
  });
  const lost = new Promise<void>((resolve) => {
    spy.mockImplementationOnce(() => {
      resolve();
      return new Promise<never>(() => {});
    });
  });
  const outcome = expect(operation()).rejects.toThrow('has not answered within 60000 ms');
  await lost;
  await vi.advanceTimersByTimeAsync(60_000);
  await outcome;
  vi.useRealTimers();
}

describe.skipIf(!available)('Where the driver loses an operation', () => {
  let store: JobStore<ObjectId>;

  beforeEach(async () => {
    await db.dropDatabase();
    store = await openStore(db);
  });

  test('a claim fails, and the next one gets the jobs', async () => {
    await store.insert(toInserts(3));
    const request = await toClaim(store);
    await expectNoAnswer('updateMany', () => store.claim(request));
    expect((await store.claim(await toClaim(store))).jobs).toHaveLength(3);
  });

  test('outcomes fail to be stored, and are stored at the next try', async () => {
    await store.insert([toInsert()]);
    const [job] = (await store.claim(await toClaim(store))).jobs;
    const outcome = { type: 'completed' } as const;
    const batch = {
      at: await store.now(),
      items: [{ job: job!, token: job!.claimToken!, startedAt: PAST, outcome }],
    };
    await expectNoAnswer('bulkWrite', () => store.settle(batch));
    expect(await store.settle(batch)).toMatchObject([{ applied: true }]);
  });

  test('claims fail to be renewed, and are renewed at the next try', async () => {
    await store.insert([toInsert()]);
    const [job] = (await store.claim(await toClaim(store))).jobs;
    const held = [{ id: job!._id, token: job!.claimToken! }];
    await expectNoAnswer('updateMany', () => store.renew('owner', held));
    expect(await store.renew('owner', held)).toEqual([]);
  });

  test('a job fails to be stored, and its caller learns so', async () => {
    await expectNoAnswer('insertOne', () => store.insert([toInsert({ nextRunAt: FUTURE })]));
    expect(await jobs.countDocuments()).toBe(0);
  });

  test('a log fails to be written, and later lines are written', async () => {
    const [inserted] = await store.insert([toInsert({ nextRunAt: FUTURE })]);
    const id = inserted!.job._id;
    const line = { jobId: id, at: PAST, attempt: 1, level: 'error', text: 'broken' } as const;
    await expectNoAnswer('createIndex', () => store.appendLogs([line]));
    await store.appendLogs([line]);
    expect(await store.logs(id)).toHaveLength(1);
  });

  test('a template that is due is found at the next try', async () => {
    const template = { id: 'nightly', cron: '* * * * *', timezone: 'UTC' };
    const steps = [{ template: { ...template, enabled: true } as never, next: FUTURE }];
    await expectNoAnswer('bulkWrite', () => store.recurring.advance(steps as never));
    await expect(store.recurring.advance(steps as never)).resolves.toBeUndefined();
  });
});

test('An answer in time is passed on, and so is an error', async () => {
  expect(await answered(Promise.resolve('yes'), 10)).toBe('yes');
  await expect(answered(Promise.reject(new Error('no')), 10)).rejects.toThrow('no');
});
