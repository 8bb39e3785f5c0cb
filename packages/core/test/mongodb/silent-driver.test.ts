import { testDatabase } from '@monque/test-servers/vitest';
import { Collection, type ObjectId } from 'mongodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answered } from '../../src/mongodb/answered.js';
import type { JobStore } from '../../src/store/port.js';
import { FUTURE, openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');

/** The driver loses the next operation of this kind: it is never sent, answered or rejected. */
function loseNext(kind: 'insertOne' | 'insertMany' | 'updateMany' | 'bulkWrite' | 'createIndex'): void {
  const spy = vi.spyOn(Collection.prototype, kind);
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementationOnce(() => new Promise<never>(() => {}));
}

/** Lets the patience of the store run out. */
async function expectNoAnswer(operation: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const outcome = operation().then(
    () => 'an answer',
    (error: Error) => error.message,
  );
  let known: string | undefined;
  void outcome.then((text) => {
    known = text;
  });
  // What comes before the lost operation is real, and takes its time.
  while (known === undefined) {
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  vi.useRealTimers();
  expect(known).toContain('has not answered within 60000 ms');
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
    loseNext('updateMany');
    await expectNoAnswer(() => store.claim(request));
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
    loseNext('bulkWrite');
    await expectNoAnswer(() => store.settle(batch));
    expect(await store.settle(batch)).toMatchObject([{ applied: true }]);
  });

  test('claims fail to be renewed, and are renewed at the next try', async () => {
    await store.insert([toInsert()]);
    const [job] = (await store.claim(await toClaim(store))).jobs;
    const held = [{ id: job!._id, token: job!.claimToken! }];
    loseNext('updateMany');
    await expectNoAnswer(() => store.renew('owner', held));
    expect(await store.renew('owner', held)).toEqual([]);
  });

  test('a job fails to be stored, and its caller learns so', async () => {
    loseNext('insertOne');
    await expectNoAnswer(() => store.insert([toInsert({ nextRunAt: FUTURE })]));
    expect(await jobs.countDocuments()).toBe(0);
  });

  test('a log fails to be written, and later lines are written', async () => {
    const [inserted] = await store.insert([toInsert({ nextRunAt: FUTURE })]);
    const id = inserted!.job._id;
    const line = { jobId: id, at: PAST, attempt: 1, level: 'error', text: 'broken' } as const;
    loseNext('createIndex');
    await expectNoAnswer(() => store.appendLogs([line]));
    await store.appendLogs([line]);
    expect(await store.logs(id)).toHaveLength(1);
  });

  test('a template that is due is found at the next try', async () => {
    loseNext('bulkWrite');
    const template = { id: 'nightly', cron: '* * * * *', timezone: 'UTC' };
    const steps = [{ template: { ...template, enabled: true } as never, next: FUTURE }];
    await expectNoAnswer(() => store.recurring.advance(steps as never));
    await expect(store.recurring.advance(steps as never)).resolves.toBeUndefined();
  });
});

test('An answer in time is passed on, and so is an error', async () => {
  expect(await answered(Promise.resolve('yes'), 10)).toBe('yes');
  await expect(answered(Promise.reject(new Error('no')), 10)).rejects.toThrow('no');
});
