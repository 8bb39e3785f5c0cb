import type { JobStore } from '@monque/core';
import { mariadb, postgres, sqlite } from '@monque/sql';
import { mariadbDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import { afterAll } from 'vitest';
import { RecordedMariadb } from './recorded-mariadb.js';
import { RecordedPostgres } from './recorded-postgres.js';
import { RecordedSqlite } from './recorded-sqlite.js';

/** Jobs of one kind that a table is filled with. */
const MANY = 5_000;

/** A step of a plan that reads jobs: under which name, and by which index. */
export interface Read {
  readonly table: string;
  readonly index: string | undefined;
}

/** A database of the file's own that tells how it goes about what it is sent. */
export interface RecordedDatabase {
  readonly name: string;
  readonly available: boolean;
  readonly store: JobStore<string>;
  /** Where numbers from 1 to {@link MANY} come from, as the column `n`. */
  readonly numbers: string;
  /** Gives the database its statistics. */
  readonly analyze: string;
  run(sql: string): Promise<unknown>;
  /** What the statements since the last call read. */
  reads(): Promise<Read[]>;
}

/** To be called at the top of a test file: a database on each of the three. */
export function recordedDatabases(): RecordedDatabase[] {
  return [recordedSqlite(), recordedPostgres(), recordedMariadb()];
}

function recordedSqlite(): RecordedDatabase {
  const recorded = new RecordedSqlite();
  afterAll(() => recorded.database.close());
  return {
    name: 'SQLite',
    available: true,
    store: sqlite({ database: recorded.database }),
    numbers: `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${MANY}) SELECT n FROM c)`,
    analyze: 'ANALYZE',
    run: async (sql) => recorded.database.exec(sql),
    reads: async () =>
      recorded.plans().flatMap((details) =>
        details.flatMap((detail) => {
          const [, table, index] = /^(?:SCAN|SEARCH) (Jobs|Holder)(?:.* INDEX (\w+))?/.exec(detail) ?? [];
          return table === undefined ? [] : [{ table, index: detail.includes('rowid=?') ? 'rowid' : index }];
        }),
      ),
  };
}

function recordedPostgres(): RecordedDatabase {
  const { available, pool: admin, url } = postgresDatabase();
  const pool = new RecordedPostgres(url);
  afterAll(() => pool.end());
  return {
    name: 'PostgreSQL',
    available,
    store: postgres(pool),
    numbers: `generate_series(1, ${MANY}) AS n`,
    analyze: 'ANALYZE "Jobs"',
    run: (sql) => admin.query(sql),
    async reads() {
      const lines: string[] = [];
      for (const { text, values } of pool.sent.splice(0)) {
        const { rows: plan } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        lines.push(...plan.map((row) => row['QUERY PLAN']));
      }
      return lines.flatMap((line) => {
        // A heap is read by the places that the step below it found in an index.
        const bitmap = /Bitmap Index Scan on "(\w+)"/.exec(line);
        if (bitmap) return [{ table: 'Jobs', index: bitmap[1] }];
        const scan = /(?<!Heap )Scan (?:using "(\w+)" )?on "Jobs"(?: "(Holder)")?/.exec(line);
        return scan ? [{ table: scan[2] ?? 'Jobs', index: scan[1] }] : [];
      });
    },
  };
}

function recordedMariadb(): RecordedDatabase {
  const { available, pool: admin } = mariadbDatabase();
  const recorded = new RecordedMariadb(admin);
  return {
    name: 'MariaDB',
    available,
    store: mariadb(recorded.pool),
    numbers: `(SELECT seq AS n FROM seq_1_to_${MANY}) AS numbers`,
    analyze: 'ANALYZE TABLE "Jobs"',
    run: (sql) => admin.query(sql.replaceAll('"', '`')),
    reads: async () =>
      (await recorded.steps()).flatMap(({ table, key }) =>
        table === 'Jobs' || table === 'Holder' ? [{ table, index: key ?? undefined }] : [],
      ),
  };
}
