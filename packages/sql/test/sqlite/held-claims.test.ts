import { join } from 'node:path';
import type { JobStore, StoredJob } from '@monque/core';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { closeStores, opening, PAST, temporaryFolder, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const folder = temporaryFolder();
let files = 0;

describe('Of the jobs of one claim on SQLite, a watcher', () => {
  const stopped: string[] = [];
  let store: JobStore<string>;
  let other: Database.Database;
  let jobs: StoredJob<string>[];
  let ids: string[];

  beforeEach(async () => {
    files += 1;
    const file = join(folder, `jobs-${files}.db`);
    store = await opening(sqlite({ file }));
    await store.insert(Array.from({ length: 4 }, () => toInsert()));
    ({ jobs } = await store.claim(await toClaim(store)));
    ids = jobs.map(({ _id }) => _id);
    stopped.length = 0;
    const subscription = await store.watch({
      due: () => {},
      stopped: (id) => stopped.push(id),
      lost: () => {},
    });
    other = new Database(file);
    return async () => {
      other.close();
      await subscription.close();
    };
  });

  /** The next look at what is held has happened once it has told of this. */
  const cancelElsewhere = async (id: string | undefined) => {
    other.prepare(`UPDATE "Jobs" SET "State" = 5 WHERE "Id" = ?`).run(id);
    await vi.waitFor(() => expect(stopped).toContain(id), 10_000);
  };

  test('is told once of one that another connection has stopped', async () => {
    await cancelElsewhere(ids[0]);
    await cancelElsewhere(ids[1]);
    expect(stopped).toEqual([ids[0], ids[1]]);
  });

  test('is told once of one that was stopped here', async () => {
    await store.remove([String(ids[0])]);
    await store.change([String(ids[1])], { type: 'cancel', running: true }, PAST);
    await cancelElsewhere(ids[2]);
    expect(stopped).toEqual([ids[0], ids[1], ids[2]]);
  });

  test('is told of it also where there are others', async () => {
    const second: string[] = [];
    const subscription = await store.watch({
      due: () => {},
      stopped: (id) => second.push(id),
      lost: () => {},
    });
    await cancelElsewhere(ids[0]);
    await vi.waitFor(() => expect(second).toEqual([ids[0]]), 10_000);
    await subscription.close();
  });

  test('is not told of those that have ended or were given back', async () => {
    const [ended, released] = jobs;
    if (ended === undefined || released === undefined) throw new Error('Nothing was claimed');
    await store.settle({
      at: await store.now(),
      items: [
        {
          job: ended,
          token: String(ended.claimToken),
          startedAt: PAST,
          outcome: { type: 'completed' },
        },
      ],
    });
    await store.release([{ id: released._id, token: String(released.claimToken) }], PAST);
    await cancelElsewhere(ids[2]);
    expect(stopped).toEqual([ids[2]]);
  });

  test('is told of one that another process has taken over', async () => {
    other.prepare(`UPDATE "Jobs" SET "ClaimToken" = 'another' WHERE "Id" = ?`).run(ids[0]);
    await vi.waitFor(() => expect(stopped).toEqual([ids[0]]), 5_000);
  });
});
