import { join } from 'node:path';
import type { JobStore } from '@monque/core';
import { mariadb, postgres, type SqlStoreOptions, sqlite } from '@monque/sql';
import { mariadbDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import Database from 'better-sqlite3';
import { afterAll } from 'vitest';
import { temporaryFolder } from './open-stores.js';

/** A database of the file's own, for stores and for the statements of other programs. */
export interface TestedDatabase {
  readonly name: 'SQLite' | 'PostgreSQL' | 'MariaDB';
  readonly available: boolean;
  store(options?: SqlStoreOptions): JobStore<string>;
  /** Runs a statement as another program would. Names are quoted with `"`, values stand for `?`. */
  run(sql: string, ...values: readonly (string | number | null)[]): Promise<Record<string, unknown>[]>;
  /** The time in the form in which other programs store it. */
  time(time: Date): string;
}

/** To be called at the top of a test file: a database on each of the three. */
export function testedDatabases(): TestedDatabase[] {
  return [sqliteTested(), postgresTested(), mariadbTested()];
}

function sqliteTested(): TestedDatabase {
  const file = join(temporaryFolder(), 'jobs.db');
  let outside: Database.Database | undefined;
  afterAll(() => outside?.close());
  return {
    name: 'SQLite',
    available: true,
    store: (options) => sqlite({ file, ...options }),
    async run(sql, ...values) {
      outside ??= new Database(file);
      const statement = outside.prepare(sql);
      if (statement.reader) return statement.all(...values) as Record<string, unknown>[];
      statement.run(...values);
      return [];
    },
    time: (time) => time.toISOString().replace('T', ' ').replace('Z', '+00:00'),
  };
}

function postgresTested(): TestedDatabase {
  const { available, pool } = postgresDatabase();
  return {
    name: 'PostgreSQL',
    available,
    store: (options) => postgres(pool, options),
    async run(sql, ...values) {
      let place = 0;
      const { rows } = await pool.query(
        sql.replace(/\?/g, () => `$${++place}`),
        [...values],
      );
      return rows;
    },
    time: (time) => time.toISOString(),
  };
}

function mariadbTested(): TestedDatabase {
  const { available, pool } = mariadbDatabase();
  return {
    name: 'MariaDB',
    available,
    store: (options) => mariadb(pool, options),
    async run(sql, ...values) {
      const [rows] = await pool.query(sql.replaceAll('"', '`'), [...values]);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    },
    time: (time) => time.toISOString().replace('T', ' ').replace('Z', ''),
  };
}
