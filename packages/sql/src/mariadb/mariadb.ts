import { InvalidOptionError, type JobStore } from '@monque/core';
import type { Pool as CallbackPool } from 'mysql2';
import type { Pool } from 'mysql2/promise';
import { loadDriver } from '../missing-driver-error.js';
import { TypeNames } from '../rows/type-names.js';
import { checkAddress } from '../server-address.js';
import { SqlStore } from '../sql-store.js';
import { checkStoreOptions, type SqlStoreOptions } from '../store-options.js';
import { explainUnreachable } from '../unreachable.js';
import { isRefusal } from './is-refusal.js';
import { mariadbBackend } from './mariadb-backend.js';

/** Connections of a pool that the store makes itself. */
const POOL_SIZE = 10;

/** What addresses begin with; the driver does not look at it. */
const SCHEMES = ['mariadb', 'mysql'] as const;

/** What fits into a packet of 16 MiB, the default, where every character may have to be escaped. */
const MAX_PAYLOAD = 7 * 1024 * 1024;

/** A pool of mysql2, with promises or with callbacks. */
export interface MariadbPool {
  query(...args: never[]): unknown;
  getConnection(...args: never[]): unknown;
}

/**
 * Keeps jobs in a MariaDB or MySQL database: MariaDB from 10.6 on, MySQL from 8.0. Needs the package `mysql2`.
 *
 * A pool stays the caller's; one that is made from a URL ends with the store.
 *
 * @param connection - A pool of mysql2, or a URL: `mariadb://user:password@host:3306/database`.
 *
 * @example
 * ```ts
 * import { Monque } from '@monque/core';
 * import { mariadb } from '@monque/sql';
 *
 * const monque = new Monque(mariadb('mariadb://127.0.0.1:3306/app'));
 * await monque.initialize();
 * ```
 */
export function mariadb(connection: MariadbPool | string, options: SqlStoreOptions = {}): JobStore<string> {
  checkStoreOptions(options, ['typeNames', 'autoMigrate']);
  if (typeof connection !== 'string' && !isPool(connection)) {
    throw new InvalidOptionError('connection', 'mariadb() takes a pool of the package mysql2, or a URL');
  }
  if (typeof connection === 'string') checkAddress(connection, SCHEMES);
  const names = new TypeNames(options.typeNames);
  const { autoMigrate = true } = options;
  return new SqlStore({
    kind: 'mariadb',
    maxPayload: MAX_PAYLOAD,
    async open() {
      const { pool, callbackPool, close } = await toPool(connection);
      try {
        return await mariadbBackend(pool, { names, autoMigrate, callbackPool, close });
      } catch (error) {
        await close();
        throw explainUnreachable(error, 'MariaDB', addressOf(callbackPool));
      }
    },
    isRefusal,
  });
}

interface Connected {
  readonly pool: Pool;
  readonly callbackPool: CallbackPool;
  close(): Promise<void>;
}

async function toPool(connection: MariadbPool | string): Promise<Connected> {
  if (typeof connection !== 'string') return { ...bothForms(connection), close: async () => {} };
  const { createPool } = await loadDriver('mysql2', () => import('mysql2'));
  const callbackPool = createPool({ uri: connection, connectionLimit: POOL_SIZE });
  const pool = callbackPool.promise();
  return { pool, callbackPool, close: () => pool.end() };
}

/** A pool with promises knows the one with callbacks, and the other way round. */
function bothForms(given: MariadbPool): Omit<Connected, 'close'> {
  if ('promise' in given) {
    const callbackPool = given as unknown as CallbackPool;
    return { callbackPool, pool: callbackPool.promise() };
  }
  const pool = given as unknown as Pool & { readonly pool: CallbackPool };
  return { pool, callbackPool: pool.pool };
}

function addressOf(pool: CallbackPool): string {
  const { host, port } = (pool as unknown as { config: { connectionConfig: { host: string; port: number } } })
    .config.connectionConfig;
  return `${host}:${port}`;
}

function isPool(value: unknown): value is MariadbPool {
  return (
    typeof value === 'object' &&
    value !== null &&
    'getConnection' in value &&
    'query' in value &&
    // Pools of mysql2 know their other form; those of other packages do not.
    ('promise' in value || 'pool' in value) &&
    !('beginTransaction' in value)
  );
}
