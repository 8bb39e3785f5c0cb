import pg from 'pg';
import type { Target } from './contender.js';

const POLL_MS = 5;

/** A small pool of the benchmark's own, for what the measured system has no call for. */
export function connectPostgres({ uri }: Target): pg.Pool {
  return new pg.Pool({ connectionString: uri, max: 2 });
}

/** Transactions that the database has seen; the benchmark has a database of its own. */
export async function transactionCount(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.count);
}

/** Asks until a query that counts answers zero. */
export async function untilNone(pool: pg.Pool, query: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: string }>(query);
    if (Number(rows[0]?.count) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** What a server that has been up for long has done already: statistics, and nothing left to write back. */
export async function settleDown(pool: pg.Pool): Promise<void> {
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
}
