import { setImmediate } from 'node:timers/promises';
import { testDatabase } from '@monque/test-servers/vitest';
import { Collection, type CommandStartedEvent, type Document, MongoClient, type ObjectId } from 'mongodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import type { Settlement } from '../../src/store/settle-types.js';
import { FUTURE, openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';
import { UnreliableProxy } from './unreliable-proxy.js';

// A standalone server, to which the driver repeats no write by itself.
const { db, uri, name, available } = testDatabase('standalone');
const jobs = db.collection('monque_jobs');

/** A store whose next answer to a command gets lost. */
async function openUnreliable(): Promise<{
  store: JobStore<ObjectId>;
  loseAnswerTo(is: (command: Document) => boolean): void;
}> {
  const { hostname, port } = new URL(uri);
  const proxy = new UnreliableProxy(Number(port), hostname);
  const client = new MongoClient(`mongodb://127.0.0.1:${await proxy.listen()}/?directConnection=true`, {
    monitorCommands: true,
    // The monitor's own answers must not be the ones that get lost.
    heartbeatFrequencyMS: 60_000,
    serverMonitoringMode: 'poll',
    retryWrites: false,
    // One answer at a time, so that it is the right one that gets lost.
    maxPoolSize: 1,
  });
  let isLost: ((command: Document) => boolean) | undefined;
  client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    if (!isLost?.(command)) return;
    isLost = undefined;
    proxy.loseNextAnswer();
  });
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
  });
  const store = await openStore(client.db(name));
  return {
    store,
    loseAnswerTo(is) {
      isLost = is;
    },
  };
}

const isWrite = (command: Document) => 'update' in command;

describe.skipIf(!available)('When the answer to a write is lost', () => {
  beforeEach(async () => {
    await openStore(db);
    await jobs.deleteMany({});
  });

  test('a claim that took effect is given back by the next one', async () => {
    const { store, loseAnswerTo } = await openUnreliable();
    await store.insert(toInserts(3));
    loseAnswerTo(isWrite);
    await expect(store.claim(await toClaim(store))).rejects.toThrow();
    await expect.poll(() => jobs.countDocuments({ status: 'processing' })).toBe(3);
    const { jobs: claimed } = await store.claim(await toClaim(store));
    expect(claimed).toHaveLength(3);
    expect(claimed.every(({ failCount }) => failCount === 0)).toBe(true);
  });

  test('a claim in two writes waits for both though one has failed, and both are given back', async () => {
    const store = await openStore(db);
    await store.insert(toInserts(400));
    const original = Collection.prototype.updateMany;
    let letGo = () => {};
    const late = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const spy = vi.spyOn(Collection.prototype, 'updateMany');
    onTestFinished(() => spy.mockRestore());
    spy.mockImplementationOnce(async () => {
      throw new Error('The connection broke');
    });
    spy.mockImplementationOnce(async function (this: Collection, ...given) {
      await late;
      return original.apply(this, given);
    });
    let isOver = false;
    const claiming = store.claim(await toClaim(store, { total: 400 })).finally(() => {
      isOver = true;
    });
    claiming.catch(() => {});
    await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(2));
    await setImmediate();
    expect(isOver).toBe(false);
    letGo();
    await expect(claiming).rejects.toThrow('The connection broke');
    expect(await jobs.countDocuments({ status: 'processing' })).toBe(200);
    const { jobs: claimed } = await store.claim(await toClaim(store, { total: 400 }));
    expect(claimed).toHaveLength(400);
  });

  test('a claim after a silence that took effect is given back', async () => {
    const { store, loseAnswerTo } = await openUnreliable();
    await store.claim(await toClaim(store));
    await store.insert(toInserts(1));
    loseAnswerTo((command) => 'findAndModify' in command);
    await expect(store.claim(await toClaim(store))).rejects.toThrow();
    await expect.poll(() => jobs.countDocuments({ status: 'processing' })).toBe(1);
    const { jobs: claimed } = await store.claim(await toClaim(store));
    expect(claimed).toHaveLength(1);
    expect(await jobs.findOne()).toMatchObject({ claimToken: claimed[0]?.claimToken, failCount: 0 });
  });

  test('outcomes that took effect are recognised when they are settled again', async () => {
    const { store, loseAnswerTo } = await openUnreliable();
    await store.insert(toInserts(4));
    const { jobs: claimed } = await store.claim(await toClaim(store));
    const outcomes: Settlement['outcome'][] = [
      { type: 'completed' },
      { type: 'completed', result: { rows: 3 } },
      { type: 'retry', nextRunAt: FUTURE, failCount: 1, reason: 'broken' },
      { type: 'snoozed', nextRunAt: FUTURE },
    ];
    const batch = {
      at: await store.now(),
      items: claimed.map((job, index) => ({
        job,
        token: job.claimToken!,
        startedAt: PAST,
        outcome: outcomes[index]!,
      })),
    };
    loseAnswerTo(isWrite);
    await expect(store.settle(batch)).rejects.toThrow();
    await expect.poll(() => jobs.countDocuments({ status: 'processing' })).toBe(0);
    const settled = await store.settle(batch);
    expect(settled.map(({ applied }) => applied)).toEqual([true, true, true, true]);
    expect(settled.map(({ job }) => job)).toEqual(await store.get(claimed.map(({ _id }) => _id)));
  });

  test('a series that failed for good keeps one copy', async () => {
    const { store, loseAnswerTo } = await openUnreliable();
    await store.insert([toInsert({ repeatInterval: '0 0 * * *' })]);
    const { jobs: claimed } = await store.claim(await toClaim(store));
    const [job] = claimed;
    const outcome = { type: 'failed', failCount: 3, reason: 'broken', nextRunAt: FUTURE } as const;
    const batch = {
      at: await store.now(),
      items: [{ job: job!, token: job!.claimToken!, startedAt: PAST, outcome }],
    };
    for (const is of [(command: Document) => 'insert' in command, isWrite]) {
      loseAnswerTo(is);
      await expect(store.settle(batch)).rejects.toThrow();
    }
    await expect.poll(() => jobs.countDocuments({ status: 'pending' })).toBe(1);
    const [settled] = await store.settle(batch);
    expect(settled).toMatchObject({ applied: true, job: { status: 'failed' } });
    expect(await jobs.countDocuments({ status: 'failed' })).toBe(1);
    expect(await jobs.findOne({ status: 'failed' })).toEqual(settled?.job);
  });
});
