import { InvalidOptionError } from '@monque/core';
import type { Sender } from './pg-driver.js';

/** A client of pg, by its shape: it may come from another copy of the package. */
interface ClientShape extends Sender {
  /** `I` for none; missing in older versions of the driver. */
  getTransactionStatus?(): string | null;
}

/** The client whose transaction a user passes. */
export function postgresSession(session: unknown): Sender {
  if (!isClient(session)) {
    throw new InvalidOptionError(
      'session',
      'Option "session" must be a client of pg that is in a transaction, or a transaction of Kysely. ' +
        'A pool is none: take a client from it with connect()',
    );
  }
  if (session.getTransactionStatus?.() === 'I') {
    throw new InvalidOptionError(
      'session',
      'The client in option "session" is in no transaction. Begin one first, or leave the option out',
    );
  }
  return session;
}

function isClient(value: unknown): value is ClientShape {
  return (
    typeof value === 'object' &&
    value !== null &&
    'query' in value &&
    typeof value.query === 'function' &&
    'processID' in value &&
    !('totalCount' in value)
  );
}
