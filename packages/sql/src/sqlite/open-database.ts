import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConnectionError } from '@monque/core';
import type BetterSqlite3 from 'better-sqlite3';
import { loadDriver } from '../missing-driver-error.js';
import { retryBusy } from './retry-busy.js';

/** How long SQLite itself waits for another connection, in milliseconds: longer would keep the process from working. */
const BUSY_TIMEOUT_MS = 5;

/** What SQLite may keep of the file in memory, in KiB: enough for the indexes of a large queue. */
const CACHE_KIB = 65_536;

/** Pages of the log after which they go into the file, four times what SQLite does by itself: 16 MB. */
const CHECKPOINT_PAGES = 4_000;

/** How writes reach the disk. */
export type Synchronous = 'normal' | 'full';

/**
 * Opens a file, or makes it, and changes nothing in it: it may turn out to be another program's.
 *
 * @param mayCreate - Where false, a file that is not there is an empty database in memory, so that none is left behind.
 */
export async function openDatabase(file: string, mayCreate: boolean): Promise<BetterSqlite3.Database> {
  const { default: Database } = await loadDriver('better-sqlite3', () => import('better-sqlite3'));
  const isMissing = !mayCreate && !existsSync(file) && existsSync(dirname(file));
  try {
    const database = new Database(isMissing ? ':memory:' : file, { timeout: BUSY_TIMEOUT_MS });
    try {
      // The first read tells whether it is a database at all.
      await retryBusy(() => database.pragma('schema_version'));
      database.pragma('foreign_keys = ON');
      database.pragma(`cache_size = -${CACHE_KIB}`);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw unopened(error, file);
  }
}

/**
 * Sets a file of ours up for many short writes, once its schema is there. It keeps its write-ahead log. Several processes
 * may do so at once.
 */
export async function setUpForWrites(
  database: BetterSqlite3.Database,
  synchronous: Synchronous,
): Promise<void> {
  await retryBusy(() => database.pragma('journal_mode = WAL'));
  database.pragma(`synchronous = ${synchronous.toUpperCase()}`);
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // What would undo a statement of hundreds of rows, should it fail, is kept in memory. A file for each takes a tenth of
  // the time of a job. The schema's own statements, which may be about millions, have come before.
  database.pragma('temp_store = MEMORY');
}

function unopened(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'SQLITE_NOTADB') {
    return new ConnectionError(
      `"${file}" is no SQLite database. Give the path of one, or of a file to create`,
      {
        cause: error,
      },
    );
  }
  if (code === 'SQLITE_CANTOPEN' || error instanceof TypeError) {
    return new ConnectionError(
      `"${file}" cannot be opened. Check that its folder exists, and that this process may write there`,
      { cause: error },
    );
  }
  return error;
}
