import { ServerUnavailableError } from '../server-unavailable-error.js';
import { machinePrograms } from './machine-programs.js';
import { npmPrograms } from './npm-programs.js';
import type { PostgresPrograms, ProgramsAnswer } from './programs.js';

type Place = (env: NodeJS.ProcessEnv) => Promise<ProgramsAnswer>;

/** Where the server's programs are looked for, in this order. */
const PLACES: readonly Place[] = [machinePrograms, npmPrograms];

const ADVICE = 'Set DATABASE_URL to a server where databases may be made, or install PostgreSQL.';

/**
 * The first programs that run here.
 *
 * @param tried - What was tried before, for the error.
 * @throws {@link ServerUnavailableError} when no place has them.
 */
export async function locatePrograms(
  env: NodeJS.ProcessEnv,
  tried: readonly string[] = [],
  places: readonly Place[] = PLACES,
): Promise<PostgresPrograms> {
  const reasons = [...tried];
  for (const place of places) {
    const answer = await place(env);
    if (!('missing' in answer)) return answer;
    reasons.push(answer.missing);
  }
  throw new ServerUnavailableError('PostgreSQL', reasons, ADVICE);
}
