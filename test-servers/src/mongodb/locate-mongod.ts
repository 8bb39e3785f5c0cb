import { ServerUnavailableError } from '../server-unavailable-error.js';
import { downloadedMongod } from './downloaded-mongod.js';
import type { Mongod, MongodAnswer } from './mongod.js';
import { systemMongod } from './system-mongod.js';
import { wheelMongod } from './wheel-mongod.js';

type Place = (env: NodeJS.ProcessEnv) => Promise<MongodAnswer>;

/** Where a mongod is looked for, in this order. `MONGODB_URI` comes before all of them: then none is needed. */
const PLACES: readonly Place[] = [systemMongod, downloadedMongod, wheelMongod];

const ADVICE =
  'Set MONGODB_URI to a server that may be used, or MONGOMS_SYSTEM_BINARY to the path of a mongod program.';

/**
 * The first mongod that runs here.
 *
 * @throws {@link ServerUnavailableError} when no place has one.
 */
export async function locateMongod(
  env: NodeJS.ProcessEnv,
  places: readonly Place[] = PLACES,
): Promise<Mongod> {
  const tried = ['MONGODB_URI is not set, or names another kind of server'];
  for (const place of places) {
    const answer = await place(env);
    if (!('missing' in answer)) return answer;
    tried.push(answer.missing);
  }
  throw new ServerUnavailableError('MongoDB', tried, ADVICE);
}
