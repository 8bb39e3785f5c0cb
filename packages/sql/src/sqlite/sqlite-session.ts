import { InvalidOptionError } from '@monque/core';
import type BetterSqlite3 from 'better-sqlite3';

/** Whether a value is a database of better-sqlite3: by its shape, since it may come from another copy of the package. */
export function isSqliteDatabase(value: unknown): value is BetterSqlite3.Database {
  return (
    typeof value === 'object' &&
    value !== null &&
    'prepare' in value &&
    typeof value.prepare === 'function' &&
    'inTransaction' in value &&
    'pragma' in value
  );
}

/** The connection whose transaction a user passes. */
export function sqliteSession(session: unknown): BetterSqlite3.Database {
  if (!isSqliteDatabase(session)) {
    throw new InvalidOptionError(
      'session',
      'Option "session" must be a better-sqlite3 database in a transaction, or a transaction of Kysely',
    );
  }
  if (!session.inTransaction) {
    throw new InvalidOptionError(
      'session',
      'The database in option "session" is in no transaction. Begin one first, or leave the option out',
    );
  }
  return session;
}
