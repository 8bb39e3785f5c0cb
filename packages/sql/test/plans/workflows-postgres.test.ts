import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RecordedPostgres } from './recorded-postgres.js';

const { available, pool: admin, url } = postgresDatabase();
const MANY = 20_000;
const LIGHT = { by: 'id', direction: 'asc', limit: 500, light: true } as const;

/** Whether the planner knows the table: before it does, its guesses are far off. */
describe.skipIf(!available).each(['without statistics', 'with statistics'])(
  '%s, with many jobs that wait and many that have ended, PostgreSQL',
  (statistics) => {
    const pool = new RecordedPostgres(url);
    const store = postgres(pool);

    beforeAll(async () => {
      await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
      await admin.query('TRUNCATE "Jobs" CASCADE');
      const fill = (prefix: string, state: number, batch: string | null, parent: string | null) =>
        admin.query(
          `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount", "BatchId", "ParentJobId")
           SELECT $1 || n, 'work', '{}', $2, now(), now(), 0, 9, $3, $4 || n FROM generate_series(1, ${MANY}) n`,
          [prefix, state, batch, parent],
        );
      await fill('finished-', 3, 'batch', null);
      await fill('waiting-', 7, null, 'finished-');
      if (statistics === 'with statistics') await admin.query('ANALYZE "Jobs"');
    });
    afterAll(() => pool.end());

    /** How PostgreSQL goes about the statements of a call. */
    async function planOf(call: () => Promise<unknown>): Promise<string> {
      pool.sent.length = 0;
      await call();
      const lines: string[] = [];
      for (const { text, values } of pool.sent.splice(0)) {
        const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        lines.push(...rows.map((row) => row['QUERY PLAN']));
      }
      return lines.join('\n');
    }

    test('finds what follows a few jobs by their ids', async () => {
      const parents = Array.from({ length: 10 }, (_, n) => `finished-${n * 3}`);
      const plan = await planOf(() =>
        store.page({ filter: { parents, statuses: ['awaiting-continuation'] }, ...LIGHT }),
      );
      expect(plan).toContain('IX_Jobs_ParentJobId');
      expect(plan).toContain('IX_Monque_Jobs_Waiting');
      expect(plan).not.toContain('Seq Scan');
    });

    test('walks over what waits by its index', async () => {
      const filter = { statuses: ['awaiting-continuation', 'awaiting-batch'], fill: null } as const;
      const after = { key: null, id: 'waiting-15' };
      expect(await planOf(() => store.page({ filter, ...LIGHT, after }))).toContain('IX_Monque_Jobs_Waiting');
    });

    test('tells by an index whether a batch is open', async () => {
      expect(await planOf(() => store.batches.hasOpenMember('batch'))).toMatch(
        /IX_Monque_Jobs_Batch|IX_Jobs_BatchId/,
      );
    });
  },
);
