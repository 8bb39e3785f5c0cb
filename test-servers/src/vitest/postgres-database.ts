import pg from 'pg';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { databaseName, withDatabase } from './database-name.js';
import './provided-servers.js';

/** A database that belongs to one test file. */
export interface PostgresDatabase {
  /** False where there is no PostgreSQL: then all tests of the file are skipped. */
  readonly available: boolean;
  readonly url: string;
  readonly name: string;
  /** For the test's own statements. */
  readonly pool: pg.Pool;
}

/**
 * Makes a PostgreSQL database of the calling file's own, and drops it after the file's last test. To be called at the
 * top of a test file, or of a `describe`, before any `beforeAll` that uses it.
 *
 * Where there is no PostgreSQL, every test beside the call is skipped.
 */
export function postgresDatabase(): PostgresDatabase {
  const { postgres } = inject('servers');
  const available = !('missing' in postgres);
  // A pool that is never used connects to nothing.
  const server = available ? postgres.url : 'postgres://127.0.0.1:1';
  const name = databaseName();
  const url = withDatabase(server, name);
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  // Dropping the database by force breaks idle connections.
  pool.on('error', () => {});

  const administer = async (sql: string) => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(sql).finally(() => admin.end());
  };
  beforeAll(async () => {
    if (available) await administer(`CREATE DATABASE "${name}"`);
  });
  beforeEach((context) => context.skip(!available, 'no PostgreSQL: set DATABASE_URL'));
  afterAll(async () => {
    await pool.end();
    if (available) await administer(`DROP DATABASE "${name}" WITH (FORCE)`);
  });
  return { available, url, name, pool };
}
