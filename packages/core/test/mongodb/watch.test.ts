import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import type { Subscription } from '../../src/store/watch-types.js';
import { FUTURE, openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';

const { client, db, uri, name, available } = testDatabase();
const jobs = db.collection('monque_jobs');
let store: JobStore<ObjectId>;
let open: Subscription[] = [];

async function watch(one = store) {
  const observer = { due: vi.fn(), stopped: vi.fn(), lost: vi.fn() };
  const subscription = await one.watch(observer);
  open.push(subscription);
  return { observer, subscription };
}

/**
 * Cursors of change streams on the jobs, waiting or idle. One that is killed while it waits for changes is gone at
 * the next change of whatever kind, and after ten seconds at the latest.
 */
async function openStreams(): Promise<number> {
  const operations = await client
    .db('admin')
    .aggregate([
      { $currentOp: { idleCursors: true } },
      { $match: { ns: `${name}.monque_jobs`, 'cursor.tailable': true, killPending: { $ne: true } } },
    ])
    .toArray();
  return operations.length;
}

describe.skipIf(!available)('The change stream', () => {
  beforeEach(async () => {
    await db.dropDatabase();
    store = await openStore(db);
  });
  afterEach(async () => {
    for (const subscription of open) await subscription.close();
    open = [];
  });

  test('closes at once, although the server holds an empty answer back', async () => {
    const { observer, subscription } = await watch();
    // Seen: so the next question is on its way, and stays there.
    await store.insert([toInsert()]);
    await vi.waitFor(() => expect(observer.due).toHaveBeenCalled());
    const before = performance.now();
    await Promise.all([subscription.close(), subscription.close()]);
    expect(performance.now() - before).toBeLessThan(700);
    expect(observer.lost).not.toHaveBeenCalled();
  });

  test('leaves nothing open on the server', async () => {
    const { subscription } = await watch();
    await vi.waitFor(async () => expect(await openStreams()).toBe(1));
    await subscription.close();
    await vi.waitFor(async () => expect(await openStreams()).toBe(0));
  });

  test('tells of neither claims nor successes', async () => {
    const { observer } = await watch();
    await store.insert(toInserts(20));
    await vi.waitFor(() => expect(observer.due).toHaveBeenCalledTimes(20));
    const { jobs: claimed } = await store.claim(await toClaim(store));
    const items = claimed.map((job) => ({
      job,
      token: job.claimToken!,
      startedAt: PAST,
      outcome: { type: 'completed' as const },
    }));
    await store.settle({ at: await store.now(), items });
    await store.insert([toInsert({ nextRunAt: FUTURE })]);
    await vi.waitFor(() => expect(observer.due).toHaveBeenLastCalledWith(FUTURE, 'work'));
    expect(observer.due).toHaveBeenCalledTimes(21);
    expect(observer.stopped).not.toHaveBeenCalled();
  });

  test('tells of what others write by hand: an insert, an update and a replacement', async () => {
    const { observer } = await watch();
    const { insertedId } = await jobs.insertOne({ name: 'by-hand', status: 'pending', nextRunAt: PAST });
    await vi.waitFor(() => expect(observer.due).toHaveBeenLastCalledWith(PAST, 'by-hand'));
    await jobs.updateOne({ _id: insertedId }, { $set: { nextRunAt: FUTURE } });
    await vi.waitFor(() => expect(observer.due).toHaveBeenLastCalledWith(FUTURE, undefined));
    await jobs.replaceOne({ _id: insertedId }, { name: 'other', status: 'pending', nextRunAt: PAST });
    await vi.waitFor(() => expect(observer.due).toHaveBeenLastCalledWith(PAST, 'other'));
    await jobs.replaceOne({ _id: insertedId }, { name: 'other', status: 'cancelled', nextRunAt: PAST });
    await vi.waitFor(() => expect(observer.stopped).toHaveBeenCalledWith(insertedId));
  });

  test.each(['collection', 'database'] as const)(
    'is lost when the %s is dropped, and says so once',
    async (what) => {
      await store.insert([toInsert()]);
      const { observer } = await watch();
      if (what === 'collection') await jobs.drop();
      else await db.dropDatabase();
      await vi.waitFor(() => expect(observer.lost).toHaveBeenCalledOnce());
      const again = await watch();
      await store.insert([toInsert()]);
      await vi.waitFor(() => expect(again.observer.due).toHaveBeenCalled());
      expect(observer.lost).toHaveBeenCalledOnce();
    },
  );

  test('is lost when its client is closed', async () => {
    const other = new MongoClient(uri);
    const { observer } = await watch(await openStore(other.db(name)));
    await other.close();
    await vi.waitFor(() => expect(observer.lost).toHaveBeenCalledOnce());
  });

  test('can be had from a client that was closed and connected again', async () => {
    const other = new MongoClient(uri);
    const reopened = await openStore(other.db(name));
    await other.close();
    await other.connect();
    const { observer } = await watch(reopened);
    await store.insert([toInsert()]);
    await vi.waitFor(() => expect(observer.due).toHaveBeenCalled());
    await other.close();
  });
});
