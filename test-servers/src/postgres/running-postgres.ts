import pg from 'pg';
import { firstLine } from '../first-line.js';
import type { PostgresServer } from './postgres-server.js';

const LOCAL = 'postgres://postgres@127.0.0.1:5432/postgres';

/** The server that was found, or why there is none. */
export type RunningPostgres = PostgresServer | { readonly missing: string };

/**
 * The server that `DATABASE_URL` names, else the one on this machine. It is used as it is and never stopped.
 *
 * @throws when `DATABASE_URL` is set and no server of use answers there: what was asked for by name is never replaced
 * by something else.
 */
export async function runningPostgres(env: NodeJS.ProcessEnv): Promise<RunningPostgres> {
  const url = env.DATABASE_URL || LOCAL;
  const problem = await problemOf(url);
  if (!problem) {
    const stop = async () => {};
    return { url, origin: env.DATABASE_URL ? 'DATABASE_URL' : LOCAL, stop, [Symbol.asyncDispose]: stop };
  }
  if (env.DATABASE_URL) throw new Error(`DATABASE_URL is set, but cannot be used: ${problem}`);
  return { missing: `DATABASE_URL is not set, and nothing of use at ${LOCAL}: ${problem}` };
}

async function problemOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Without a listener, a connection that breaks while it is closed would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      'SELECT rolcreatedb OR rolsuper AS able FROM pg_roles WHERE rolname = current_user',
    );
    return rows[0]?.able ? undefined : 'its user may not make databases';
  } catch (error) {
    return firstLine(error);
  } finally {
    await client.end().catch(() => {});
  }
}
