import pg from 'pg';
import { monotonic } from '../measure/monotonic.js';
import type { Target } from './contender.js';

const POLL_MS = 5;

/** A small pool of the benchmark's own, for what the measured system has no call for. */
export function connectPostgres({ uri }: Target): pg.Pool {
  return new pg.Pool({ connectionString: uri, max: 2 });
}

/** A pool for a measured system, of which so many connections are open already. */
export async function openPool(
  { uri }: Target,
  { max, open }: { max: number; open: number },
): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: uri, max });
  // A lost connection shows in the query that it breaks; without listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const clients = await Promise.all(Array.from({ length: Math.min(open, max) }, () => pool.connect()));
  for (const client of clients) client.release();
  return pool;
}

/** Transactions that the database has seen; the benchmark has a database of its own. */
export async function transactionCount(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.count);
}

/**
 * Asks until no row is left, for systems that do not tell when an outcome is stored. Resolves with the latest moment at
 * which one was known to be left: the start of the last question that still found one, or where there was none, the last
 * handled job. The end came after it, so neither the questions nor the time between them count against the system; what
 * it gains is at most the time between two questions.
 *
 * @param rows - What stands behind FROM: the unfinished rows.
 * @param handledAt - When the last job was handled.
 */
export async function untilNone(pool: pg.Pool, rows: string, handledAt: number): Promise<number> {
  let leftAt = handledAt;
  for (;;) {
    const askedAt = monotonic();
    const answer = await pool.query<{ left: boolean }>(`SELECT EXISTS (SELECT FROM ${rows}) AS left`);
    if (answer.rows[0]?.left !== true) return leftAt;
    leftAt = askedAt;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** What a server that has been up for long has done already: statistics, and nothing left to write back. */
export async function settleDown(pool: pg.Pool): Promise<void> {
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
}
