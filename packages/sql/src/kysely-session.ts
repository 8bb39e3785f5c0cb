import { InvalidOptionError } from '@monque/core';
import {
  CompiledQuery,
  type Kysely,
  MysqlAdapter,
  PostgresAdapter,
  SqliteAdapter,
  type Transaction,
} from 'kysely';
import type { Dialect } from './dialect.js';
import type { Answer, Query } from './operation.js';

const ADAPTERS = { sqlite: SqliteAdapter, postgres: PostgresAdapter, mariadb: MysqlAdapter } as const;

/**
 * Whether a session is a transaction of Kysely.
 *
 * @throws InvalidOptionError where it is of Kysely and no transaction, or of another database.
 */
export function isKyselyTransaction(
  session: unknown,
  dialect: Dialect['name'],
): session is Transaction<unknown> {
  if (!isKysely(session)) return false;
  if (!session.isTransaction) {
    throw new InvalidOptionError(
      'session',
      'Option "session" is a Kysely and no transaction of it. Pass what transaction().execute() gives',
    );
  }
  const { adapter } = session.getExecutor();
  const isOther = Object.entries(ADAPTERS).some(
    ([name, Adapter]) => name !== dialect && adapter instanceof Adapter,
  );
  if (isOther) {
    throw new InvalidOptionError(
      'session',
      `Option "session" is a transaction of another database than ${dialect}`,
    );
  }
  return true;
}

/** By its shape: it may come from another copy of the package. */
function isKysely(value: unknown): value is Kysely<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'isTransaction' in value &&
    typeof value.isTransaction === 'boolean' &&
    'getExecutor' in value &&
    typeof value.getExecutor === 'function'
  );
}

/** Sends statements within a user's transaction. */
export function sendTo(transaction: Transaction<unknown>): (query: Query) => Promise<Answer> {
  return async ({ sql, parameters }) => {
    const result = await transaction.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(sql, [...parameters]),
    );
    // Columns have different names, and stand in the order in which they were asked for.
    const rows = result.rows.map((row) => Object.values(row));
    return { rows, affected: Number(result.numAffectedRows ?? result.rows.length) };
  };
}
