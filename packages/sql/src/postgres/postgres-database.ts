import type pg from 'pg';
import type { Database } from '../database.js';
import { codeOf } from '../driver-codes.js';
import { type Operation, runAwaiting } from '../operation.js';
import { retryRaces } from '../retry-races.js';
import { send } from './pg-driver.js';

/** A pool of connections. */
export class PostgresDatabase implements Database {
  readonly needsTransactions = false;
  readonly pool: pg.Pool;
  /** Whether statements may be kept prepared. */
  readonly #prepare: boolean;

  constructor(pool: pg.Pool, prepare: boolean) {
    this.pool = pool;
    this.#prepare = prepare;
  }

  run<T>(operation: () => Operation<T>): Promise<T> {
    return retryRaces(
      () => runAwaiting(operation(), (query) => send(this.pool, query, this.#prepare)),
      isRace,
    );
  }

  transact<T>(operation: () => Operation<T>): Promise<T> {
    return retryRaces(() => this.#transact(operation), isRace);
  }

  async #transact<T>(operation: () => Operation<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    // The pool listens to idle clients only. Should the connection break now, the statement fails, and the client
    // tells it besides: with nobody to hear it, that would end the process.
    client.on('error', onError);
    try {
      await client.query(BEGIN);
      const value = await runAwaiting(operation(), (query) => send(client, query, this.#prepare));
      await client.query('COMMIT');
      return value;
    } catch (error) {
      // A connection that cannot even do this is not given back to others.
      await client.query('ROLLBACK').catch((thrown: Error) => {
        broken = thrown;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}

/**
 * Whatever the server's default is, each statement has to see what others have committed. And none of ours is worth
 * compiling, although the planner may think so of those with long lists.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL jit = off';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const UNIQUE_VIOLATION = '23505';

/** Whether others were in the way, and all that was done is undone. */
function isRace(error: unknown): boolean {
  const code = codeOf(error);
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK) return true;
  const { constraint } = error as { constraint?: unknown };
  return code === UNIQUE_VIOLATION && constraint === 'IX_Monque_Jobs_ActiveKey';
}
