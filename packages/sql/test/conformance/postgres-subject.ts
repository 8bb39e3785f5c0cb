import type { ConformanceSubject, ConformanceTransaction } from '@monque/conformance';
import { postgres } from '@monque/sql';
import { type PostgresDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import pg from 'pg';
import { rowOfDocument } from './row-of-document.js';
import { rowOfTemplate } from './row-of-template.js';

/** A schema of the file's own database for each group of tests, and a pool for each store. */
export function postgresSubject(): ConformanceSubject & PostgresDatabase {
  const database = postgresDatabase();
  let made = 0;
  return {
    ...database,
    transactions: true,
    async create() {
      made += 1;
      const schema = `group_${made}`;
      await database.pool.query(`CREATE SCHEMA ${schema}`);
      const pool = new pg.Pool({
        connectionString: database.url,
        options: `-c search_path=${schema}`,
        max: 4,
      });
      // Dropping the database by force breaks idle connections.
      pool.on('error', () => {});
      return {
        connect: async () => postgres(pool),
        async clear() {
          const { rowCount } = await pool.query(
            `SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'Jobs'`,
            [schema],
          );
          if (rowCount) {
            await pool.query(
              'DELETE FROM "JobLogs"; DELETE FROM "Jobs"; DELETE FROM "RecurringJobs"; DELETE FROM "JobBatches"',
            );
          }
        },
        async write(document) {
          const row = rowOfDocument(document, (time) => time.toISOString());
          const columns = Object.keys(row);
          await pool.query(
            `INSERT INTO "Jobs" ("${columns.join('", "')}") VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
            Object.values(row),
          );
          return row.Id;
        },
        async writeTemplate(id, fields) {
          const { changed, fresh } = rowOfTemplate(
            id,
            fields,
            (time) => time.toISOString(),
            (flag) => flag,
          );
          const assignments = Object.keys(changed).map((column, n) => `"${column}" = $${n + 2}`);
          const { rowCount } = await pool.query(
            `UPDATE "RecurringJobs" SET ${assignments.join(', ')} WHERE "Id" = $1`,
            [id, ...Object.values(changed)],
          );
          if (rowCount) return;
          const columns = Object.keys(fresh);
          await pool.query(
            `INSERT INTO "RecurringJobs" ("${columns.join('", "')}") VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
            Object.values(fresh),
          );
        },
        begin: () => begin(pool),
        drop: () => pool.end(),
      };
    },
  };
}

async function begin(pool: pg.Pool): Promise<ConformanceTransaction> {
  const client = await pool.connect();
  await client.query('BEGIN');
  const end = async (statement: string) => {
    await client.query(statement);
    client.release();
  };
  return { session: client, commit: () => end('COMMIT'), abort: () => end('ROLLBACK') };
}
