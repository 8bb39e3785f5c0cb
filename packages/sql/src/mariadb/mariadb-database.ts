import type { Pool } from 'mysql2/promise';
import type { Database } from '../database.js';
import { type Operation, runAwaiting } from '../operation.js';
import { retryRaces } from '../retry-races.js';
import { send } from './mysql-driver.js';

/** A pool of connections. */
export class MariadbDatabase implements Database {
  readonly needsTransactions = false;
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  run<T>(operation: () => Operation<T>): Promise<T> {
    return retryRaces(() => runAwaiting(operation(), (query) => send(this.#pool, query)), isRace);
  }

  transact<T>(operation: () => Operation<T>): Promise<T> {
    return retryRaces(() => this.#transact(operation), isRace);
  }

  async #transact<T>(operation: () => Operation<T>): Promise<T> {
    const connection = await this.#pool.getConnection();
    let isBroken = false;
    try {
      // Of this transaction only: the usual level locks the gaps between rows, into which others are about to insert.
      await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await connection.query('START TRANSACTION');
      const value = await runAwaiting(operation(), (query) => send(connection, query));
      await connection.query('COMMIT');
      return value;
    } catch (error) {
      // A connection that cannot even do this is not given back to others.
      await connection.query('ROLLBACK').catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      if (isBroken) connection.destroy();
      else connection.release();
    }
  }
}

const DUPLICATE_KEY = 1062;
/** A deadlock; a lock that was waited for too long; a row that has changed since it was read. */
const RACES: ReadonlySet<unknown> = new Set([1213, 1205, 1020]);

/** Whether others were in the way, and all that was done is undone. */
function isRace(error: unknown): boolean {
  if (!(error instanceof Error) || !('errno' in error)) return false;
  if (RACES.has(error.errno)) return true;
  return error.errno === DUPLICATE_KEY && error.message.includes('IX_Monque_Jobs_ActiveKey');
}
