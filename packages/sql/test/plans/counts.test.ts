import { sqlite } from '@monque/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordedSqlite } from './recorded-sqlite.js';

/** The completed jobs whose run times are looked at. */
const SAMPLE = 10_000;

const recorded = new RecordedSqlite();
const { database } = recorded;
const store = sqlite({ database, typeNames: { 'Shop.Mail': 'mail' } });

beforeAll(async () => {
  await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
  const insert = database.prepare(`
    INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "ExecutedAt", "FinishedAt", "RetryCount", "MaxRetryCount")
    VALUES (?, ?, '{}', 3, ?, ?, ?, ?, 0, 9)`);
  const time = (at: number) => new Date(at).toISOString().replace('T', ' ').replace('Z', '+00:00');
  const completed = (typeName: string, due: number, took: number) =>
    insert.run(`${typeName}-${due}`, typeName, time(due), time(due), time(due), time(due + took));
  database.transaction(() => {
    completed('rare', 0, 50);
    for (let n = 1; n < SAMPLE; n++) completed('busy', n, 20);
    completed('Shop.Mail', SAMPLE, 100);
  })();
});
afterAll(() => database.close());

test('the run times of all names are one look at the latest completed jobs', async () => {
  recorded.forget();
  const counts = await store.countsByName();
  const [, means, ...more] = recorded.plans();
  expect(means).toEqual([expect.stringMatching(/USING INDEX IX_Jobs_State_ScheduledAt \(State=\?\)/)]);
  expect(more).toEqual([]);
  expect([...counts].sort()).toEqual([
    ['busy', { byStatus: { completed: SAMPLE - 1 }, avgProcessingDurationMs: 20 }],
    ['mail', { byStatus: { completed: 1 }, avgProcessingDurationMs: 100 }],
    ['rare', { byStatus: { completed: 1 } }],
  ]);
});

test('asked for by itself, a name has its own latest', async () => {
  expect(await store.counts('rare')).toEqual({ byStatus: { completed: 1 }, avgProcessingDurationMs: 50 });
});
