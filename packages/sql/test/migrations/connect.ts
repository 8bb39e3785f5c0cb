import SqliteDatabase from 'better-sqlite3';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import type { StoreDialect } from '../../src/migrations/engines/engine-of.js';
import type { Tables } from '../../src/schema/columns.js';

/** Connects to a database as a store does. */
export function connect(dialect: StoreDialect, address: string): Kysely<Tables> {
  if (dialect === 'postgres') {
    const pool = new pg.Pool({ connectionString: address, max: 2 });
    // It says that it has ended while its connections still close, and the database is dropped by force.
    pool.on('error', () => {});
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }
  if (dialect === 'mariadb') {
    return new Kysely({
      dialect: new MysqlDialect({ pool: createPool({ uri: address, connectionLimit: 2 }) }),
    });
  }
  // No time to wait in the driver: that others hold the file is the migrations' own business.
  const database = new SqliteDatabase(address, { timeout: 0 });
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}
