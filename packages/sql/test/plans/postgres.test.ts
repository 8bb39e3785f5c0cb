import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { FUTURE, PAST, toClaim } from '../stores/open-stores.js';
import { RecordedPostgres } from './recorded-postgres.js';

const { available, pool: admin, url } = postgresDatabase();
const MANY = 20_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** All steps of a plan that read the table of jobs. */
function readsOf(plan: Plan): Plan[] {
  const own = plan['Relation Name'] === 'Jobs' && /Scan/.test(plan['Node Type']) ? [plan] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(readsOf)];
}

function stepsOf(plan: Plan): string[] {
  return [plan['Node Type'], ...(plan.Plans ?? []).flatMap(stepsOf)];
}

function indexesOf(plan: Plan): string[] {
  const own = plan['Index Name'] === undefined ? [] : [plan['Index Name']];
  return [...own, ...(plan.Plans ?? []).flatMap(indexesOf)];
}

/** Whether the planner knows the table: before it does, its guesses are far off. */
describe.skipIf(!available).each(['without statistics', 'with statistics'])(
  '%s, PostgreSQL',
  (statistics) => {
    const pool = new RecordedPostgres(url);
    const store = postgres(pool);

    const fill = (prefix: string, name: string, state: number, due: Date, priority: string, count: number) =>
      admin.query(
        `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount", "Priority")
       SELECT $1 || n, $2, '{}', $3, $4, $5, 0, 9, ${priority} FROM generate_series(1, ${count}) AS n`,
        [prefix, name, state, PAST, due],
      );

    beforeAll(async () => {
      await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
      await admin.query('TRUNCATE "Jobs" CASCADE');
      await fill('finished-', 'work', 3, PAST, 'NULL', MANY);
      await fill('future-', 'work', 1, FUTURE, 'NULL', MANY);
      await fill('ranked-', 'ranked', 1, FUTURE, 'n % 7', MANY);
      await fill('unwanted-', 'other', 1, PAST, 'NULL', MANY);
      await fill('due-', 'work', 4, PAST, 'NULL', 300);
      await fill('urgent-', 'ranked', 1, PAST, '9', 300);
      await fill('few-', 'few', 1, PAST, 'NULL', 3);
      if (statistics === 'with statistics') await admin.query('ANALYZE "Jobs"');
      pool.sent.length = 0;
      return async () => {
        await store.close();
        await pool.end();
      };
    });

    /** Runs what was sent once more, undoes it, and answers how it was gone about. */
    const explained = async (): Promise<Plan[]> => {
      const plans: Plan[] = [];
      for (const { text, values } of pool.sent.splice(0)) {
        const client = await admin.connect();
        await client.query('BEGIN');
        const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
        await client.query('ROLLBACK');
        client.release();
        plans.push(rows[0]['QUERY PLAN'][0].Plan);
      }
      return plans;
    };

    test('claims plain jobs by the index and by their places, reads no more than it takes and sorts nothing', async () => {
      const request = await toClaim(store, { total: 50, wants: [{ name: 'work', limit: 50 }] });
      pool.sent.length = 0;
      const { jobs } = await store.claim(request);
      expect(jobs).toHaveLength(50);
      const [plan] = await explained();
      if (plan === undefined) throw new Error('Nothing was sent');
      expect(stepsOf(plan)).not.toContain('Sort');
      const reads = readsOf(plan);
      expect(reads.length).toBeGreaterThanOrEqual(3);
      for (const read of reads) {
        if (read['Node Type'] !== 'Tid Scan') expect(read['Index Name']).toBe('IX_Monque_Jobs_Due');
        expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThanOrEqual(50);
        expect(read['Rows Removed by Filter'] ?? 0).toBe(0);
      }
    });

    test('claims plain jobs the same way by a plan that is kept, and that no value has shaped', async () => {
      await store.claim(await toClaim(store, { total: 50, wants: [{ name: 'work', limit: 50 }] }));
      const kept = pool.sent.splice(0).find(({ name }) => name !== undefined);
      if (kept === undefined) throw new Error('Nothing is kept prepared');
      const client = await admin.connect();
      await client.query('BEGIN');
      await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE claim AS ${kept.text}`);
      const values = kept.values.map((value) => client.escapeLiteral(String(value))).join(', ');
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE claim(${values})`);
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE claim');
      client.release();
      const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
      expect(stepsOf(plan)).not.toContain('Sort');
      for (const read of readsOf(plan)) {
        if (read['Node Type'] !== 'Tid Scan') expect(read['Index Name']).toBe('IX_Monque_Jobs_Due');
        expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThanOrEqual(50);
      }
    });

    test('claims single jobs by a plan that the server keeps without being told to, once the table is large', async () => {
      const request = () => toClaim(store, { total: 50, wants: [{ name: 'few', limit: 50 }] });
      expect((await store.claim(await request())).jobs).toHaveLength(3);
      // That was less than it wanted: the next one looks around.
      expect((await store.claim(await request())).jobs).toHaveLength(0);
      pool.sent.length = 0;
      await store.claim(await request());
      const kept = pool.sent.splice(0).find(({ name }) => name !== undefined);
      if (kept === undefined) throw new Error('Nothing is kept prepared');
      const client = await admin.connect();
      await client.query('BEGIN');
      await client.query(`PREPARE claim AS ${kept.text}`);
      // Of a name with thousands of due jobs: most of the table, as far as the planner knows.
      const values = kept.values
        .map((value) => client.escapeLiteral(String(value).replace('few', 'other')))
        .join(', ');
      // The first five are always planned for their values.
      for (let times = 0; times < 6; times++) await client.query(`EXECUTE claim(${values})`);
      const { rows } = await client.query(
        `SELECT generic_plans::int AS "kept" FROM pg_prepared_statements WHERE name = 'claim'`,
      );
      const plans = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE claim(${values})`);
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE claim');
      client.release();
      expect(rows).toEqual([{ kept: 1 }]);
      const reads = readsOf(plans.rows[0]['QUERY PLAN'][0].Plan);
      expect(reads.map((read) => read['Node Type'])).toContain('Tid Scan');
      for (const read of reads) {
        if (read['Node Type'] !== 'Tid Scan') expect(read['Index Name']).toBe('IX_Monque_Jobs_Due');
      }
    });

    test('asks for the next due time by single keys of the index', async () => {
      await store.nextDueAt(['work', 'ranked'], PAST);
      const plans = await explained();
      expect(plans).toHaveLength(2);
      for (const read of plans.flatMap(readsOf)) {
        expect(read['Index Name']).toBe('IX_Monque_Jobs_Due');
        expect(read['Actual Rows']).toBeLessThanOrEqual(1);
      }
    });

    test('finds the rows of outcomes by their ids', async () => {
      const request = await toClaim(store, { total: 100, wants: [{ name: 'work', limit: 100 }] });
      const { jobs } = await store.claim(request);
      pool.sent.length = 0;
      const at = await store.now();
      pool.sent.length = 0;
      await store.settle({
        at,
        items: jobs.map((job) => ({
          job,
          token: String(job.claimToken),
          startedAt: at,
          outcome: { type: 'completed', result: 1 },
        })),
      });
      const [plan] = await explained();
      if (plan === undefined) throw new Error('Nothing was sent');
      expect(indexesOf(plan)).toEqual(['PK_Jobs']);
      expect(readsOf(plan).map((read) => read['Node Type'])).toEqual(
        expect.arrayContaining(['Index Scan', 'Tid Scan']),
      );
      for (const read of readsOf(plan))
        expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThanOrEqual(100);
    });

    test('claims by priority without reading the future', async () => {
      const request = await toClaim(store, { total: 50, wants: [{ name: 'ranked', limit: 50 }] });
      const { jobs } = await store.claim(request);
      expect(jobs.map(({ priority }) => priority)).toEqual(Array(50).fill(9));
    });

    test('lets the server plan anew when the table has become large once more', async () => {
      const claim = async () => {
        pool.sent.length = 0;
        await store.claim(await toClaim(store, { total: 50, wants: [{ name: 'gone', limit: 50 }] }));
        return pool.sent.find(({ name }) => name !== undefined)?.name;
      };
      await claim();
      const before = await claim();
      // Its plan would be made for an empty table now, and go on when that is full.
      await admin.query('TRUNCATE "Jobs" CASCADE');
      await claim();
      const meanwhile = await claim();
      await fill('back-', 'other', 1, FUTURE, 'NULL', MANY);
      await claim();
      const after = await claim();
      expect(new Set([before, meanwhile, after]).size).toBe(3);
    });
  },
);
