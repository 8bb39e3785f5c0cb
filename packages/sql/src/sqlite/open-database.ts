import { ConnectionError } from '@monque/core';
import type BetterSqlite3 from 'better-sqlite3';
import { loadDriver } from '../missing-driver-error.js';
import { retryBusy } from './retry-busy.js';

/** How long SQLite itself waits for another connection, in milliseconds: longer would keep the process from working. */
const BUSY_TIMEOUT_MS = 5;

/** What SQLite may keep of the file in memory, in KiB: enough for the indexes of a large queue. */
const CACHE_KIB = 65_536;

/** How writes reach the disk. */
export type Synchronous = 'normal' | 'full';

/** Opens a file, or makes it. Several processes may open it at once. */
export async function openDatabase(file: string, synchronous: Synchronous): Promise<BetterSqlite3.Database> {
  const { default: Database } = await loadDriver('better-sqlite3', () => import('better-sqlite3'));
  try {
    const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      await retryBusy(() => database.pragma('journal_mode = WAL'));
      database.pragma(`synchronous = ${synchronous.toUpperCase()}`);
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
