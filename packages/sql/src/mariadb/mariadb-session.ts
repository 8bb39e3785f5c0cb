import { InvalidOptionError } from '@monque/core';
import type { Sender } from './mysql-driver.js';

/** The connection whose transaction a user passes. */
export function mariadbSession(session: unknown): Sender {
  if (!isConnection(session)) {
    throw new InvalidOptionError(
      'session',
      'Option "session" must be a connection of mysql2 that is in a transaction, or a transaction of Kysely. ' +
        'A pool is none: take a connection from it with getConnection()',
    );
  }
  return typeof session.promise === 'function' ? session.promise() : session;
}

/** A connection, by its shape: with callbacks or with promises. */
interface ConnectionShape extends Sender {
  promise?(): Sender;
}

function isConnection(value: unknown): value is ConnectionShape {
  return (
    typeof value === 'object' &&
    value !== null &&
    'query' in value &&
    typeof value.query === 'function' &&
    'beginTransaction' in value
  );
}
