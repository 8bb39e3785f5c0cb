import { locatePrograms } from './locate-programs.js';
import type { PostgresServer } from './postgres-server.js';
import { runningPostgres } from './running-postgres.js';
import { startPostgres } from './start-postgres.js';

/**
 * A PostgreSQL server: the one that `DATABASE_URL` names, else the one on 127.0.0.1:5432, else one that is started now.
 *
 * @throws ServerUnavailableError when there is none and none can be started.
 */
export async function findPostgres(env: NodeJS.ProcessEnv = process.env): Promise<PostgresServer> {
  const running = await runningPostgres(env);
  if (!('missing' in running)) return running;
  return startPostgres(env, await locatePrograms(env, [running.missing]));
}
