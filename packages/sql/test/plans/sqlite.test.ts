import { sqlite } from '@monque/sql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FUTURE, PAST, toClaim } from '../stores/open-stores.js';
import { RecordedSqlite } from './recorded-sqlite.js';

const MANY = 20_000;

const recorded = new RecordedSqlite();
const { database } = recorded;
const store = sqlite({ database });
const plans = () => recorded.plans().flat();

beforeAll(async () => {
  await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
  const insert = database.prepare(`
    INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount", "Priority")
    VALUES (?, ?, '{}', ?, ?, ?, 0, 9, ?)`);
  const time = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '+00:00');
  database.transaction(() => {
    for (let n = 0; n < MANY; n++) {
      insert.run(`finished-${n}`, 'work', 3, time(PAST), time(PAST), null);
      insert.run(`future-${n}`, 'work', 1, time(PAST), time(FUTURE), n % 40 === 0 ? n % 7 : null);
      insert.run(`unwanted-${n}`, 'other', 1, time(PAST), time(PAST), null);
    }
    for (let n = 0; n < 300; n++) insert.run(`due-${n}`, 'work', n % 2 ? 1 : 4, time(PAST), time(PAST), null);
  })();
  recorded.forget();
});
afterAll(() => database.close());

describe('With many finished jobs, many future ones and many of other names, SQLite', () => {
  test('claims by ranges of the index alone, without a sort', async () => {
    const request = await toClaim(store, { total: 200, wants: [{ name: 'work', limit: 200 }] });
    recorded.forget();
    const { jobs } = await store.claim(request);
    expect(jobs).toHaveLength(200);
    const details = plans();
    expect(details.length).toBeGreaterThan(5);
    for (const detail of details) {
      expect(detail).not.toMatch(/SCAN "?Jobs|TEMP B-TREE/);
      if (detail.includes('USING INDEX') || detail.includes('COVERING')) {
        expect(detail).toMatch(/IX_Monque_Jobs_(Due|Unordered)/);
      }
    }
    expect(
      details.some((detail) =>
        /IX_Monque_Jobs_Due \(TypeName=\? AND Priority=\? AND ScheduledAt</.test(detail),
      ),
    ).toBe(true);
  });

  test('asks for the next due time by one key of the index for each priority', async () => {
    await store.nextDueAt(['work'], PAST);
    const details = plans();
    for (const detail of details)
      expect(detail).toMatch(/^SEARCH Jobs USING (COVERING )?INDEX IX_Monque_Jobs_Due/);
  });

  test('finds what is held by the index on the state', async () => {
    await store.recover({ now: PAST, lockTimeout: 1_000, legacyLockTimeout: 1_000 });
    await store.findLiveClaim('owner', PAST);
    for (const detail of plans()) expect(detail).toMatch(/USING INDEX IX_Jobs_State/);
  });

  const CHILDREN = {
    filter: { parents: ['due-1', 'due-2'], statuses: ['awaiting-continuation' as const] },
    by: 'id' as const,
    direction: 'asc' as const,
    limit: 20,
    light: true as const,
  };

  test('looks for no children of ended jobs where no job waits at all', async () => {
    recorded.forget();
    await store.page(CHILDREN);
    expect(plans()).toEqual([
      expect.stringMatching(/SCAN Jobs USING (COVERING )?INDEX IX_Monque_Jobs_Waiting/),
    ]);
  });

  test.each(['without', 'with'])(
    'looks for the children of ended jobs by their index, %s statistics',
    async (how) => {
      if (how === 'with') database.exec('ANALYZE');
      database.exec(`UPDATE "Jobs" SET "State" = 7, "ParentJobId" = 'finished-2' WHERE "Id" = 'finished-1'`);
      recorded.forget();
      await store.page(CHILDREN);
      const reads = plans().filter((detail) => /(SCAN|SEARCH) Jobs/.test(detail));
      expect(reads).toHaveLength(3);
      for (const read of reads) {
        expect(read).toMatch(/INTEGER PRIMARY KEY|IX_Jobs_ParentJobId|IX_Monque_Jobs_Waiting/);
      }
    },
  );

  test.each(['id', 'nextRunAt'] as const)('reads a page by %s as a range of an index', async (by) => {
    const after = { key: PAST, id: 'due-5' };
    recorded.forget();
    await store.page({ filter: {}, by, direction: 'asc', limit: 20, after });
    for (const detail of plans()) {
      // Jobs with the same time are put in the order of their ids.
      if (detail.includes('TEMP B-TREE')) expect(detail).toMatch(/LAST TERM/);
      else expect(detail).toMatch(/^SEARCH Jobs USING INDEX/);
    }
  });
});
