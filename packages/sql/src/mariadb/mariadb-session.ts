import { InvalidOptionError } from '@monque/core';
import type { ResultSetHeader } from 'mysql2/promise';
import type { Sender } from './mysql-driver.js';

/** The connection whose transaction a user passes. Whether it is in one only the server knows. */
export async function mariadbSession(session: unknown): Promise<Sender> {
  if (!isConnection(session)) {
    throw new InvalidOptionError(
      'session',
      'Option "session" must be a connection of mysql2 that is in a transaction, or a transaction of Kysely. ' +
        'A pool is none: take a connection from it with getConnection()',
    );
  }
  const connection = typeof session.promise === 'function' ? session.promise() : session;
  await requireTransaction(connection);
  return connection;
}

/** What a server tells with every answer: it is in a transaction; each statement outside of one commits by itself. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

/** Without autocommit, the next statement begins a transaction that is the user's to commit. */
async function requireTransaction(connection: Sender): Promise<void> {
  const [{ serverStatus }] = await connection.query<ResultSetHeader>('DO 0');
  if ((serverStatus & (IN_TRANSACTION | AUTOCOMMIT)) === AUTOCOMMIT) {
    throw new InvalidOptionError(
      'session',
      'The connection in option "session" is in no transaction. Begin one first, or leave the option out',
    );
  }
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
