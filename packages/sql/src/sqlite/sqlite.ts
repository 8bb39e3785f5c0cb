import { InvalidOptionError, type JobStore } from '@monque/core';
import type BetterSqlite3 from 'better-sqlite3';
import { TypeNames } from '../rows/type-names.js';
import { SqlStore } from '../sql-store.js';
import { checkStoreOptions, type SqlStoreOptions } from '../store-options.js';
import { isRefusal } from './is-refusal.js';
import { openDatabase, type Synchronous, setUpForWrites } from './open-database.js';
import { sqliteBackend } from './sqlite-backend.js';
import { isSqliteDatabase } from './sqlite-session.js';

/** A `Database` of the package better-sqlite3, of whichever version. */
export interface SqliteDatabase {
  prepare(...args: never[]): unknown;
  pragma(...args: never[]): unknown;
  readonly name: string;
  readonly memory: boolean;
  readonly inTransaction: boolean;
}

/** A SQLite database by its file, which the store opens and closes itself. */
export interface SqliteFileOptions extends SqlStoreOptions {
  /** Path of the file; it is created where there is none. `:memory:` is a database that ends with the store. */
  file: string;
  /**
   * When a commit counts as done. `normal`: the operating system has it, so that it outlives the process, however that
   * ends; a power cut may take the latest jobs. `full`: the disk has it, which makes a single enqueue several times
   * slower and large batches hardly.
   *
   * @defaultValue `'normal'`
   */
  synchronous?: Synchronous;
}

/** A SQLite database that is open already, and stays the caller's. */
export interface SqliteDatabaseOptions extends SqlStoreOptions {
  /**
   * A database of better-sqlite3. The store uses its settings and this one connection; while it is in a transaction of
   * yours, the store waits.
   */
  database: SqliteDatabase;
}

/** SQLite takes a text of a thousand million bytes; long before, reading it would keep the process from anything else. */
const MAX_PAYLOAD = 64 * 1024 * 1024;

/**
 * Keeps jobs in a SQLite database: one file, no server, any number of processes on one machine. Needs the package
 * `better-sqlite3`.
 *
 * @example
 * ```ts
 * import { Monque } from '@monque/core';
 * import { sqlite } from '@monque/sql';
 *
 * const monque = new Monque(sqlite({ file: 'jobs.db' }));
 * await monque.initialize();
 * ```
 *
 * @example On a database that the application has opened, and closes itself
 * ```ts
 * import { Monque } from '@monque/core';
 * import { sqlite } from '@monque/sql';
 * import Database from 'better-sqlite3';
 *
 * const monque = new Monque(sqlite(new Database('shop.db')));
 * ```
 */
export function sqlite(database: SqliteDatabase, options?: SqlStoreOptions): JobStore<string>;
export function sqlite(options: SqliteFileOptions | SqliteDatabaseOptions): JobStore<string>;
export function sqlite(
  source: SqliteDatabase | SqliteFileOptions | SqliteDatabaseOptions,
  further: SqlStoreOptions = {},
): JobStore<string> {
  if (typeof source !== 'object' || source === null) {
    throw new InvalidOptionError(
      'file',
      'sqlite() takes a database of better-sqlite3, or an object with a "file" or a "database"',
    );
  }
  const options = {
    ...further,
    ...(isSqliteDatabase(source)
      ? { database: source }
      : (source as SqliteFileOptions | SqliteDatabaseOptions)),
  };
  checkStoreOptions(options, ['file', 'database', 'synchronous', 'typeNames', 'autoMigrate']);
  const names = new TypeNames(options.typeNames);
  const { autoMigrate = true } = options;
  const connect = connector(options);
  return new SqlStore({
    kind: 'sqlite',
    maxPayload: MAX_PAYLOAD,
    async open() {
      const { database, synchronous } = await connect(autoMigrate);
      const isOwn = synchronous !== undefined;
      try {
        const backend = await sqliteBackend(database, { names, autoMigrate, isOwn });
        if (isOwn) await setUpForWrites(database, synchronous);
        return backend;
      } catch (error) {
        if (isOwn) database.close();
        throw error;
      }
    },
    isRefusal,
  });
}

interface Connected {
  readonly database: BetterSqlite3.Database;
  /** Only where the connection was opened here: the settings of others are theirs. */
  readonly synchronous?: Synchronous;
}

function connector(
  options: SqliteFileOptions | SqliteDatabaseOptions,
): (mayCreate: boolean) => Promise<Connected> {
  if ('database' in options) {
    const database: unknown = options.database;
    if (!isSqliteDatabase(database)) {
      throw new InvalidOptionError('database', 'Option "database" must be a database of better-sqlite3');
    }
    return async () => ({ database });
  }
  const { file, synchronous = 'normal' } = options;
  if (typeof file !== 'string' || file === '') {
    throw new InvalidOptionError(
      'file',
      'Option "file" must be the path of a SQLite database, or of a file to create',
    );
  }
  if (synchronous !== 'normal' && synchronous !== 'full') {
    throw new InvalidOptionError('synchronous', 'Option "synchronous" must be "normal" or "full"');
  }
  return async (mayCreate) => ({ database: await openDatabase(file, mayCreate), synchronous });
}
