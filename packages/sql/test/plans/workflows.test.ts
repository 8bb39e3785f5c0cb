import { sqlite } from '@monque/sql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FUTURE, PAST } from '../stores/open-stores.js';
import { RecordedSqlite } from './recorded-sqlite.js';

const MANY = 20_000;
const LIGHT = { by: 'id', direction: 'asc', limit: 500, light: true } as const;

const recorded = new RecordedSqlite();
const { database } = recorded;
const store = sqlite({ database });

/** How SQLite goes about the statements of a call that read jobs. */
async function plansOf(call: () => Promise<unknown>): Promise<string[]> {
  recorded.forget();
  await call();
  const plans = recorded.plans();
  expect(plans).not.toEqual([]);
  return plans.map((details) => details.join('\n'));
}

beforeAll(async () => {
  await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
  const insert = database.prepare(`
    INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount", "BatchId", "ParentJobId")
    VALUES (?, 'work', '{}', ?, ?, ?, 0, 9, ?, ?)`);
  const time = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '+00:00');
  database.transaction(() => {
    for (let n = 0; n < MANY; n++) {
      insert.run(`finished-${n}`, 3, time(PAST), time(PAST), 'batch', null);
      insert.run(`waiting-${n}`, 7, time(PAST), time(FUTURE), null, `finished-${n}`);
    }
  })();
});
afterAll(() => database.close());

describe('With many jobs that wait, and many that have ended, SQLite', () => {
  const parents = ['finished-3', 'finished-5'];

  test.each([
    { statuses: ['awaiting-continuation'] as const },
    { forgone: true as const },
    { statuses: ['awaiting-continuation', 'awaiting-batch'] as const },
  ])('finds what follows a few jobs by their ids: %j', async (more) => {
    const plan = (await plansOf(() => store.page({ filter: { parents, ...more }, ...LIGHT }))).at(-1);
    expect(plan).toMatch(/SEARCH Jobs USING INTEGER PRIMARY KEY/);
    expect(plan).toMatch(/SEARCH Jobs USING COVERING INDEX IX_Jobs_ParentJobId/);
  });

  test('walks over what waits by a range of its index, without a sort', async () => {
    const filter = { statuses: ['awaiting-continuation', 'awaiting-batch'], fill: null } as const;
    const after = { key: null, id: 'waiting-15' };
    const [plan] = await plansOf(() => store.page({ filter, ...LIGHT, after }));
    expect(plan).toMatch(/USING INDEX IX_Monque_Jobs_Waiting \(Id>\?\)/);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('tells by the keys of its index whether a batch is open, and counts by them', async () => {
    const plans = [
      ...(await plansOf(() => store.batches.hasOpenMember('batch'))),
      ...(await plansOf(() => store.batches.counts(['batch']))),
    ];
    for (const plan of plans) expect(plan).toMatch(/USING COVERING INDEX IX_Monque_Jobs_Batch/);
  });

  test('releases a fill by the members of its batch', async () => {
    const filter = { memberOf: 'batch', fill: 'token', statuses: ['awaiting-batch'] } as const;
    const [plan] = await plansOf(() => store.changeWhere(filter, { type: 'proceed' }, PAST, 1_000));
    expect(plan).toMatch(/USING INDEX IX_Monque_Jobs_Batch \(BatchId=\? AND State=\?/);
  });

  test('removes jobs without reading the table for what follows them', async () => {
    for (const plan of await plansOf(() => store.remove(['finished-7', 'finished-9']))) {
      expect(plan).not.toMatch(/SCAN Jobs/);
    }
  });
});
