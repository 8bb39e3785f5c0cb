import { join } from 'node:path';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { closeStores, opening, PAST, temporaryFolder, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const folder = temporaryFolder();
let files = 0;

/** Long enough that every operation has met the lock many times. */
const LOCKED_MS = 300;

function newFile(): string {
  files += 1;
  return join(folder, `jobs-${files}.db`);
}

/** How often the event loop came round while something was under way, and the longest it stood still. */
async function watchLoop<T>(work: () => Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  try {
    return { value: await work(), turns };
  } finally {
    clearInterval(timer);
  }
}

describe('While another connection writes to the file', () => {
  test('nobody sees an error, and the process goes on with other things', async () => {
    const file = newFile();
    const store = await opening(sqlite({ file }));
    const [job] = await store.insert([toInsert()]);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const began = performance.now();
    setTimeout(() => other.exec('COMMIT'), LOCKED_MS);
    const { value, turns } = await watchLoop(() =>
      Promise.all([
        store.insert([toInsert({ uniqueKey: 'key' })]),
        toClaim(store).then((request) => store.claim(request)),
        store.change([String(job?.job._id)], { type: 'reschedule', runAt: PAST }, PAST),
        store.recover({ now: PAST, lockTimeout: 1_000, legacyLockTimeout: 1_000 }),
      ]),
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(LOCKED_MS - 5);
    expect(turns).toBeGreaterThan(5);
    expect(value[0]).toMatchObject([{ outcome: 'inserted' }]);
    other.close();
  });

  test('reading goes on', async () => {
    const file = newFile();
    const store = await opening(sqlite({ file }));
    const [inserted] = await store.insert([toInsert()]);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    expect(await store.get([String(inserted?.job._id)])).toHaveLength(1);
    expect((await store.claim(await toClaim(store, { now: new Date(0) }))).jobs).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
  });

  test('opening waits', async () => {
    const file = newFile();
    await opening(sqlite({ file }));
    const other = new Database(file);
    other.exec('BEGIN EXCLUSIVE');
    setTimeout(() => other.exec('COMMIT'), LOCKED_MS);
    const store = await opening(sqlite({ file }));
    expect(await store.insert([toInsert()])).toHaveLength(1);
    other.close();
  });
});

describe("A database that is the user's own", () => {
  test('is used with its settings, and stays open', async () => {
    const database = new Database(newFile());
    database.pragma('journal_mode = DELETE');
    const store = sqlite(database);
    await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
    await store.insert([toInsert()]);
    await store.close();
    expect(database.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(database.prepare('SELECT count(*) AS count FROM "Jobs"').get()).toEqual({ count: 1 });
    database.close();
  });

  test("is opened once a transaction of the user's has ended", async () => {
    const database = new Database(':memory:');
    database.exec('BEGIN');
    const open = opening(sqlite(database));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    database.exec('COMMIT');
    const store = await open;
    await store.insert([toInsert()]);
    expect(database.prepare('SELECT count(*) AS count FROM "Jobs"').get()).toEqual({ count: 1 });
  });

  test("nothing of the store's gets into a transaction of the user's, which may be undone", async () => {
    const database = new Database(':memory:');
    const store = await opening(sqlite({ database }));
    database.exec('BEGIN');
    const inserting = store.insert([toInsert()]);
    // It has had its turn, and waits.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    database.exec('ROLLBACK');
    await inserting;
    expect((await store.counts()).byStatus).toEqual({ pending: 1 });
  });
});
