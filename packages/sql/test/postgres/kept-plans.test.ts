import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { RecordedPostgres } from '../plans/recorded-postgres.js';
import { closeStores, opening, PAST, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const { available, pool: admin, url } = postgresDatabase();

/** Executions of a statement after which the server may keep its plan. */
const UNTIL_KEPT = 6;

describe.skipIf(!available)('A plan that PostgreSQL keeps', () => {
  test('for a small table is given up with the first claim that finds it grown', async () => {
    const pool = new RecordedPostgres(url);
    const store = await opening(postgres(pool));
    await admin.query('TRUNCATE "Jobs" CASCADE');
    /** Claims a job; answers the statement that took it. */
    const claimOne = async () => {
      const request = await toClaim(store, { wants: [{ name: 'work', limit: 1 }], total: 1 });
      pool.sent.length = 0;
      expect((await store.claim(request)).jobs).toHaveLength(1);
      return pool.sent.find(({ name }) => name !== undefined)?.text;
    };
    const texts = new Set<string | undefined>();
    for (let times = 0; times < UNTIL_KEPT; times++) {
      await store.insert([toInsert()]);
      texts.add(await claimOne());
    }
    expect(texts.size).toBe(1);
    const [small] = texts;
    expect(small).toBeDefined();
    await admin.query(
      `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount")
       SELECT 'grown-' || n, 'work', '{}', 1, $1, $1, 0, 9 FROM generate_series(1, 20000) AS n`,
      [PAST],
    );
    expect(await claimOne()).toBe(small);
    const large = await claimOne();
    expect(large).toBeDefined();
    expect(large).not.toBe(small);
    expect(await claimOne()).toBe(large);
    await pool.end();
  });
});
