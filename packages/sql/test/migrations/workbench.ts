import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mariadbDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import SqliteDatabase from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import type { StoreDialect } from '../../src/migrations/engines/engine-of.js';
import type { Tables } from '../../src/schema/columns.js';
import { connect } from './connect.js';

/** An empty database for one test. */
export interface EmptyDatabase {
  readonly db: Kysely<Tables>;
  /** How another process reaches it. */
  readonly address: string;
  /** Runs a script of any number of statements. */
  run(script: string): Promise<void>;
  query<Row>(statement: string): Promise<Row[]>;
}

export interface Workbench {
  readonly dialect: StoreDialect;
  empty(): Promise<EmptyDatabase>;
}

export const DIALECTS = ['sqlite', 'postgres', 'mariadb'] as const;

/** JobSharp's own DDL. */
export function jobSharpSchema(dialect: StoreDialect | 'sqlserver'): string {
  return readFileSync(new URL(`../seed/jobsharp-${dialect}.sql`, import.meta.url), 'utf8');
}

/** To be called at the top of a `describe`: where there is no server, its tests are skipped. */
export function workbench(dialect: StoreDialect): Workbench {
  if (dialect === 'sqlite') return sqliteWorkbench();
  return dialect === 'postgres' ? postgresWorkbench() : mariadbWorkbench();
}

function sqliteWorkbench(): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'monque-sql-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    dialect: 'sqlite',
    async empty() {
      const address = join(folder, `${randomBytes(6).toString('hex')}.db`);
      const database = new SqliteDatabase(address);
      onTestFinished(() => void database.close());
      return {
        db: connected('sqlite', address),
        address,
        run: async (script) => void database.exec(script),
        query: async <Row>(statement: string) => database.prepare(statement).all() as Row[],
      };
    },
  };
}

/** A schema per test: tables are looked up on the search path. */
function postgresWorkbench(): Workbench {
  const database = postgresDatabase();
  return {
    dialect: 'postgres',
    async empty() {
      const schema = `test_${randomBytes(6).toString('hex')}`;
      await database.pool.query(`CREATE SCHEMA ${schema}`);
      const address = `${database.url}?options=-csearch_path%3D${schema}`;
      const pool = new pg.Pool({ connectionString: address, max: 1 });
      pool.on('error', () => {});
      onTestFinished(() => pool.end());
      return {
        db: connected('postgres', address),
        address,
        run: async (script) => void (await pool.query(script)),
        query: async <Row>(statement: string) => (await pool.query(statement)).rows as Row[],
      };
    },
  };
}

/** The one database of the file, emptied. */
function mariadbWorkbench(): Workbench {
  const { pool, url, name } = mariadbDatabase();
  return {
    dialect: 'mariadb',
    async empty() {
      await pool.query(`DROP DATABASE \`${name}\``);
      await pool.query(`CREATE DATABASE \`${name}\``);
      const connection = await createConnection({ uri: url, multipleStatements: true });
      onTestFinished(() => connection.end());
      const query = async <Row>(statement: string) => (await connection.query(statement))[0] as Row[];
      return {
        db: connected('mariadb', url),
        address: url,
        query,
        run: async (script) => void (await query(script)),
      };
    },
  };
}

function connected(dialect: StoreDialect, address: string): Kysely<Tables> {
  const db = connect(dialect, address);
  onTestFinished(() => db.destroy());
  return db;
}
