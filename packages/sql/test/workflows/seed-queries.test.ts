import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Monque } from '@monque/core';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';

// As JobSharp's documentation has them, to the letter.
const JOBS_IN_A_BATCH = `SELECT * FROM Jobs 
WHERE BatchId = @BatchId
ORDER BY CreatedAt`;
const CONTINUATIONS_OF_A_PARENT = `SELECT * FROM Jobs 
WHERE ParentJobId = @ParentJobId 
  AND State = 7 -- AwaitingContinuation`;

interface Row {
  readonly Id: string;
  readonly State: number;
  readonly AwaitsBatchId: string | null;
  readonly Result: string | null;
}

const folder = mkdtempSync(join(tmpdir(), 'monque-seed-queries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("JobSharp's queries for batches and continuations show on SQLite what the API says", async () => {
  const file = join(folder, 'jobs.db');
  await using monque = new Monque(sqlite({ file }));
  await monque.initialize();
  const database = new Database(file, { readonly: true });
  const rows = (query: string, parameters: object) => database.prepare(query).all(parameters) as Row[];
  const ids = (list: readonly { _id: string }[]) => list.map(({ _id }) => _id).toSorted();
  const rowIds = (list: readonly Row[]) => list.map(({ Id }) => Id).toSorted();

  const parent = await monque.enqueue('parent', {});
  const children = [
    await monque.continueWith(parent._id, 'child', 1),
    await monque.continueWith(parent._id, 'child', 2, { on: 'failure' }),
  ];
  const { batchId, jobs } = await monque.enqueueBatch([
    { name: 'member', data: 1 },
    { name: 'member', data: 2 },
  ]);
  const report = await monque.continueBatchWith(batchId, 'report', {});

  const waiting = rows(CONTINUATIONS_OF_A_PARENT, { ParentJobId: parent._id });
  expect(rowIds(waiting)).toEqual(ids(children));
  const tree = await monque.getJobTree(parent._id);
  expect(rowIds(waiting)).toEqual(ids((tree?.children ?? []).map(({ job }) => job)));
  const inBatch = rows(JOBS_IN_A_BATCH, { BatchId: batchId });
  expect(rowIds(inBatch)).toEqual(ids([...jobs, report]));
  // What follows the batch is in state 8, and no member.
  expect(inBatch.filter(({ State }) => State === 8).map(({ Id }) => Id)).toEqual([report._id]);
  expect(inBatch.filter(({ AwaitsBatchId }) => AwaitsBatchId === null)).toHaveLength(
    (await monque.getBatch(batchId))?.total ?? 0,
  );

  monque.register('parent', () => ({ fine: true }));
  for (const name of ['child', 'member', 'report']) monque.register(name, () => {});
  await monque.drain();
  expect(rows(CONTINUATIONS_OF_A_PARENT, { ParentJobId: parent._id })).toEqual([]);
  expect(rows(JOBS_IN_A_BATCH, { BatchId: batchId }).map(({ State }) => State)).toEqual([3, 3, 3]);
  const [stored] = database.prepare('SELECT * FROM Jobs WHERE Id = ?').all(parent._id) as Row[];
  expect(stored).toMatchObject({ State: 3, Result: '{"fine":true}' });
  database.close();
});
