import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceDatabase, ConformanceSubject, ConformanceTransaction } from '@monque/conformance';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { rowOfDocument } from './row-of-document.js';
import { rowOfTemplate } from './row-of-template.js';

/** A file of its own for each group of tests; each store, and the user, has a connection of its own. */
export const sqliteFileSubject: ConformanceSubject = {
  transactions: true,
  async create() {
    const folder = mkdtempSync(join(tmpdir(), 'monque-sqlite-'));
    const file = join(folder, 'jobs.db');
    const outside = new Database(file);
    return {
      ...access(outside),
      connect: async () => sqlite({ file }),
      begin: async () => begin(new Database(file), true),
      async drop() {
        outside.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

/** A database in memory: one connection, which the stores and the user share. */
export const sqliteMemorySubject: ConformanceSubject = {
  transactions: 'exclusive',
  async create() {
    const database = new Database(':memory:');
    return {
      ...access(database),
      connect: async () => sqlite({ database }),
      begin: async () => begin(database, false),
      drop: async () => void database.close(),
    };
  },
};

function access(database: Database.Database): Pick<ConformanceDatabase, 'clear' | 'write' | 'writeTemplate'> {
  return {
    async clear() {
      const hasTables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'Jobs'`).get();
      if (hasTables !== undefined)
        database.exec(
          'DELETE FROM "JobLogs"; DELETE FROM "Jobs"; DELETE FROM "RecurringJobs"; DELETE FROM "JobBatches"',
        );
    },
    async write(document) {
      const row = rowOfDocument(document, toTime);
      const columns = Object.keys(row);
      database
        .prepare(
          `INSERT INTO "Jobs" ("${columns.join('", "')}") VALUES (${columns.map(() => '?').join(', ')})`,
        )
        .run(...Object.values(row));
      return row.Id;
    },
    async writeTemplate(id, fields) {
      const { changed, fresh } = rowOfTemplate(id, fields, toTime, Number);
      const assignments = Object.keys(changed).map((column) => `"${column}" = ?`);
      const { changes } = database
        .prepare(`UPDATE "RecurringJobs" SET ${assignments.join(', ')} WHERE "Id" = ?`)
        .run(...Object.values(changed), id);
      if (changes > 0) return;
      const columns = Object.keys(fresh);
      database
        .prepare(
          `INSERT INTO "RecurringJobs" ("${columns.join('", "')}") VALUES (${columns.map(() => '?').join(', ')})`,
        )
        .run(...Object.values(fresh));
    },
  };
}

function toTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '+00:00');
}

function begin(database: Database.Database, isOwn: boolean): ConformanceTransaction {
  database.exec('BEGIN');
  const end = (statement: string) => {
    database.exec(statement);
    if (isOwn) database.close();
  };
  return {
    session: database,
    commit: async () => end('COMMIT'),
    abort: async () => end('ROLLBACK'),
  };
}
