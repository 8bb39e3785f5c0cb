import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JobStore } from '@monque/core';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import {
  closeStores,
  FUTURE,
  opening,
  PAST,
  temporaryFolder,
  toClaim,
  toInsert,
} from '../stores/open-stores.js';

closeStores();
const folder = temporaryFolder();
let files = 0;
const DEADLINE_MS = 10_000;

function newFile(): string {
  files += 1;
  return join(folder, `jobs-${files}.db`);
}

/** What a watcher was told, and a way to wait for it. */
async function watching(store: JobStore<string>) {
  const due: Date[] = [];
  const stopped: string[] = [];
  const lost: Error[] = [];
  let told = () => {};
  const subscription = await store.watch({
    due: (time) => {
      due.push(time);
      told();
    },
    stopped: (id) => {
      stopped.push(id);
      told();
    },
    lost: (error) => {
      lost.push(error);
      told();
    },
  });
  const until = async (check: () => boolean) => {
    const deadline = performance.now() + DEADLINE_MS;
    while (!check()) {
      if (performance.now() > deadline) throw new Error(`Nothing within ${DEADLINE_MS} ms`);
      await new Promise<void>((resolve) => {
        told = resolve;
        setTimeout(resolve, 100);
      });
    }
  };
  return { due, stopped, lost, until, close: () => subscription.close() };
}

describe('A watcher of a SQLite file', () => {
  test('is told that something may be due when a connection that is no store has written', async () => {
    const file = newFile();
    const store = await opening(sqlite({ file }));
    const watcher = await watching(store);
    const other = new Database(file);
    other
      .prepare(
        `INSERT INTO "Jobs" ("Id", "TypeName", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount")
         VALUES ('3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'work', 1, datetime('now'), datetime('now'), 0, 3)`,
      )
      .run();
    other.close();
    await watcher.until(() => watcher.due.length > 0);
    const { jobs } = await store.claim(await toClaim(store));
    expect(jobs).toHaveLength(1);
    await watcher.close();
  });

  test('is told of its own running job that another connection has cancelled or removed', async () => {
    const file = newFile();
    const store = await opening(sqlite({ file }));
    await store.insert([toInsert(), toInsert(), toInsert()]);
    const { jobs } = await store.claim(await toClaim(store));
    const [cancelled, removed, running] = jobs.map(({ _id }) => _id);
    const watcher = await watching(store);
    const other = new Database(file);
    other.prepare(`UPDATE "Jobs" SET "State" = 5 WHERE "Id" = ?`).run(cancelled);
    other.prepare(`DELETE FROM "Jobs" WHERE "Id" = ?`).run(removed);
    other.close();
    await watcher.until(() => [cancelled, removed].every((id) => watcher.stopped.includes(String(id))));
    expect(watcher.stopped).not.toContain(running);
    await watcher.close();
  });

  test('is told at once by another store of the same process, under whichever path', async () => {
    const file = newFile();
    const store = await opening(sqlite({ file }));
    const link = `${file}-link`;
    symlinkSync(file, link);
    const producer = await opening(sqlite({ file: link }));
    const watcher = await watching(store);
    await producer.insert([toInsert({ nextRunAt: FUTURE })]);
    await watcher.until(() => watcher.due.some((time) => time.getTime() === FUTURE.getTime()));
    await watcher.close();
  });

  test("hears of what the user writes on the store's own connection", async () => {
    const database = new Database(':memory:');
    const store = await opening(sqlite(database));
    const watcher = await watching(store);
    database.exec(`INSERT INTO "Jobs" ("Id", "TypeName", "State", "CreatedAt", "RetryCount", "MaxRetryCount")
      VALUES ('job-1', 'work', 1, '2026-01-05 10:00:00', 0, 3)`);
    await watcher.until(() => watcher.due.length > 0);
    const { jobs } = await store.claim(await toClaim(store));
    expect(jobs.map(({ _id }) => _id)).toEqual(['job-1']);
    // Cancelled by hand while it runs.
    database.exec(`UPDATE "Jobs" SET "State" = 5 WHERE "Id" = 'job-1'`);
    await watcher.until(() => watcher.stopped.includes('job-1'));
    await watcher.close();
  });

  test.each([
    ['a connection of its own', () => sqlite({ file: newFile() })],
    ["the user's connection", () => sqlite(new Database(newFile()))],
  ])('on %s, hears nothing of what its own store does to jobs that do not wait', async (_, make) => {
    const store = await opening(make());
    await store.insert([toInsert()]);
    const watcher = await watching(store);
    const { jobs } = await store.claim(await toClaim(store));
    const items = jobs.map((job) => ({
      job,
      token: String(job.claimToken),
      startedAt: PAST,
      outcome: { type: 'completed' } as const,
    }));
    await store.settle({ at: await store.now(), items });
    await store.insert([toInsert({ nextRunAt: FUTURE })]);
    await watcher.until(() => watcher.due.length > 0);
    expect(watcher.due).toEqual([FUTURE]);
    await watcher.close();
  });

  test('is told when the connection is gone', async () => {
    const database = new Database(newFile());
    const store = await opening(sqlite(database));
    const watcher = await watching(store);
    database.close();
    await watcher.until(() => watcher.lost.length === 1);
    await watcher.close();
  });

  test('hears of a job in a transaction on the same connection once that has ended', async () => {
    const database = new Database(':memory:');
    const store = await opening(sqlite({ database }));
    const watcher = await watching(store);
    database.exec('BEGIN');
    await store.insert([toInsert()], { session: database });
    expect(watcher.due).toEqual([]);
    database.exec('COMMIT');
    await watcher.until(() => watcher.due.length > 0);
    await watcher.close();
  });
});
