import type { ConformanceSubject, ConformanceTransaction } from '@monque/conformance';
import { mariadb } from '@monque/sql';
import { type MariadbDatabase, mariadbDatabase } from '@monque/test-servers/vitest';
import { createPool, type Pool, type ResultSetHeader } from 'mysql2/promise';
import { rowOfDocument } from './row-of-document.js';
import { rowOfTemplate } from './row-of-template.js';

/** A database beside the file's own for each group of tests, and one pool for its stores. */
export function mariadbSubject(): ConformanceSubject & MariadbDatabase {
  const database = mariadbDatabase();
  let made = 0;
  return {
    ...database,
    watch: false,
    transactions: true,
    async create() {
      made += 1;
      const name = `${database.name}_${made}`;
      await database.pool.query(`CREATE DATABASE \`${name}\``);
      const pool = createPool({
        uri: database.url.replace(database.name, name),
        connectionLimit: 4,
        // Whatever zone the user's connections are in: times are UTC.
        timezone: '+05:30',
      });
      return {
        connect: async () => mariadb(pool),
        async clear() {
          const [tables] = await pool.query(`SHOW TABLES LIKE 'Jobs'`);
          if (!Array.isArray(tables) || tables.length === 0) return;
          await pool.query('DELETE FROM `JobLogs`');
          await pool.query('DELETE FROM `Jobs`');
          await pool.query('DELETE FROM `RecurringJobs`');
          await pool.query('DELETE FROM `JobBatches`');
        },
        async write(document) {
          const row = rowOfDocument(document, toTime);
          await pool.query('INSERT INTO `Jobs` SET ?', [row]);
          return row.Id;
        },
        async writeTemplate(id, fields) {
          const { changed, fresh } = rowOfTemplate(id, fields, toTime, Number);
          const [{ affectedRows }] = await pool.query<ResultSetHeader>(
            'UPDATE `RecurringJobs` SET ? WHERE `Id` = ?',
            [changed, id],
          );
          if (affectedRows === 0) await pool.query('INSERT INTO `RecurringJobs` SET ?', [fresh]);
        },
        begin: () => begin(pool),
        async drop() {
          await pool.end();
          await database.pool.query(`DROP DATABASE \`${name}\``);
        },
      };
    },
  };
}

function toTime(time: Date): string {
  return time.toISOString().slice(0, -1).replace('T', ' ');
}

async function begin(pool: Pool): Promise<ConformanceTransaction> {
  const connection = await pool.getConnection();
  await connection.beginTransaction();
  const end = async (statement: string) => {
    await connection.query(statement);
    connection.release();
  };
  return { session: connection, commit: () => end('COMMIT'), abort: () => end('ROLLBACK') };
}
