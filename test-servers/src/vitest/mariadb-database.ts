import { createConnection, createPool, type Pool } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { databaseName, withDatabase } from './database-name.js';
import './provided-servers.js';

/** A database that belongs to one test file. */
export interface MariadbDatabase {
  /** False where there is no MariaDB: then all tests of the file are skipped. */
  readonly available: boolean;
  readonly url: string;
  readonly name: string;
  /** For the test's own statements. */
  readonly pool: Pool;
}

/**
 * Makes a MariaDB database of the calling file's own, and drops it after the file's last test. To be called at the
 * top of a test file, or of a `describe`, before any `beforeAll` that uses it.
 *
 * Where there is no MariaDB, every test beside the call is skipped.
 */
export function mariadbDatabase(): MariadbDatabase {
  const { mariadb } = inject('servers');
  const available = !('missing' in mariadb);
  // A pool that is never used connects to nothing.
  const server = available ? mariadb.url : 'mariadb://127.0.0.1:1';
  const name = databaseName();
  const url = withDatabase(server, name);
  const pool = createPool({ uri: url, connectionLimit: 5 });

  const administer = async (sql: string) => {
    const admin = await createConnection({ uri: server });
    await admin.query(sql).finally(() => admin.end());
  };
  beforeAll(async () => {
    if (available) await administer(`CREATE DATABASE \`${name}\``);
  });
  beforeEach((context) => context.skip(!available, 'no MariaDB: set MARIADB_URL'));
  afterAll(async () => {
    await pool.end();
    if (available) await administer(`DROP DATABASE \`${name}\``);
  });
  return { available, url, name, pool };
}
