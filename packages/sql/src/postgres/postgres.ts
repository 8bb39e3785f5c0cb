import { InvalidOptionError, type JobStore } from '@monque/core';
import type pg from 'pg';
import { loadDriver } from '../missing-driver-error.js';
import { TypeNames } from '../rows/type-names.js';
import { checkAddress } from '../server-address.js';
import { SqlStore } from '../sql-store.js';
import { checkStoreOptions, type SqlStoreOptions } from '../store-options.js';
import { explainUnreachable } from '../unreachable.js';
import { isRefusal } from './is-refusal.js';
import { postgresBackend } from './postgres-backend.js';

/** Connections of a pool that the store makes itself. */
const POOL_SIZE = 10;

/** What pg knows addresses by, beside the path of a socket's folder. */
const SCHEMES = ['postgres', 'postgresql', 'socket'] as const;

/** PostgreSQL takes a text of a gigabyte; long before, a job should refer to its data instead of carrying it. */
const MAX_PAYLOAD = 64 * 1024 * 1024;

/** A `Pool` of the package pg, of whichever version. */
export interface PostgresPool {
  query(...args: never[]): unknown;
  connect(...args: never[]): unknown;
  readonly totalCount: number;
}

/** What the PostgreSQL store can be told beside what all SQL stores can. */
export interface PostgresOptions extends SqlStoreOptions {
  /**
   * Whether the statements that store and take a job are kept prepared on each connection, which lets a job begin
   * sooner. To be turned off behind a pooler that does not know of prepared statements, such as PgBouncer before 1.21 in
   * transaction mode.
   *
   * @defaultValue true
   *
   * @example
   * ```ts
   * import { postgres } from '@monque/sql';
   *
   * const store = postgres('postgres://127.0.0.1:6432/app', { prepare: false });
   * ```
   */
  prepare?: boolean;
}

/**
 * Keeps jobs in a PostgreSQL database, for any number of processes on any number of machines. Needs the package `pg`.
 *
 * A pool stays the caller's; one that is made from a URL ends with the store. One connection more listens for
 * wake-ups while an instance is started.
 *
 * @param connection - A `Pool` of pg, or a URL: `postgres://user:password@host:5432/database`.
 *
 * @example
 * ```ts
 * import { Monque } from '@monque/core';
 * import { postgres } from '@monque/sql';
 *
 * const monque = new Monque(postgres('postgres://127.0.0.1:5432/app'));
 * await monque.initialize();
 * ```
 */
export function postgres(connection: PostgresPool | string, options: PostgresOptions = {}): JobStore<string> {
  checkStoreOptions(options, ['typeNames', 'autoMigrate', 'prepare']);
  if (typeof connection !== 'string' && !isPool(connection)) {
    throw new InvalidOptionError('connection', 'postgres() takes a Pool of the package pg, or a URL');
  }
  if (typeof connection === 'string' && !connection.startsWith('/')) checkAddress(connection, SCHEMES);
  const names = new TypeNames(options.typeNames);
  const { autoMigrate = true, prepare = true } = options;
  if (typeof prepare !== 'boolean') {
    throw new InvalidOptionError('prepare', 'Option "prepare" must be true or false');
  }
  return new SqlStore({
    kind: 'postgres',
    maxPayload: MAX_PAYLOAD,
    async open() {
      const { pool, connect, close } = await toPool(connection);
      try {
        return await postgresBackend(pool, { names, autoMigrate, prepare, connect, close });
      } catch (error) {
        await close();
        throw explainUnreachable(error, 'PostgreSQL', addressOf(pool));
      }
    },
    isRefusal,
  });
}

interface Connected {
  readonly pool: pg.Pool;
  connect(): pg.Client;
  close(): Promise<void>;
}

/** What a pool has beside its documented members: how it makes clients. */
interface PoolInternals {
  readonly Client: new (options: object) => pg.Client;
  readonly options: object & {
    host?: string;
    port?: number;
    connectionString?: string;
    password?: unknown;
  };
}

async function toPool(connection: PostgresPool | string): Promise<Connected> {
  if (typeof connection !== 'string') return watched(connection as unknown as pg.Pool, 'given');
  const { default: driver } = await loadDriver('pg', () => import('pg'));
  // None of the store's statements is worth compiling, although the planner may think so of those with long lists.
  const pool = new driver.Pool({ connectionString: connection, max: POOL_SIZE, options: '-c jit=off' });
  return watched(pool, 'own');
}

/** An idle connection that breaks is replaced by the pool; without a listener its error would end the process. */
function watched(pool: pg.Pool, origin: 'own' | 'given'): Connected {
  const ignore = () => {};
  pool.on('error', ignore);
  const { Client, options } = pool as unknown as PoolInternals;
  return {
    pool,
    // The pool hides its password from whoever lists or copies its options.
    connect: () => new Client({ ...options, password: options.password, keepAlive: true }),
    async close() {
      // The listener stays then: the pool says that it has ended while the server may still break its connections.
      if (origin === 'own') await pool.end();
      else pool.off('error', ignore);
    },
  };
}

function addressOf(pool: pg.Pool): string {
  const { host, port, connectionString } = (pool as unknown as PoolInternals).options;
  if (connectionString !== undefined && URL.canParse(connectionString)) return new URL(connectionString).host;
  return `${host ?? process.env.PGHOST ?? 'localhost'}:${port ?? process.env.PGPORT ?? 5432}`;
}

function isPool(value: unknown): value is PostgresPool {
  return (
    typeof value === 'object' &&
    value !== null &&
    'connect' in value &&
    'query' in value &&
    'totalCount' in value
  );
}
