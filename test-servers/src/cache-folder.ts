import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where fetched servers are kept between runs: outside the repository, so that every clone shares them. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'monque');
}
