import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { step } from './progress.mjs';
import { ROOT } from './repository.mjs';
import { Failure, run } from './run.mjs';

const OLDEST_NODE = [20, 19];

/** Where no binary can be downloaded, SQLite is compiled, which takes a minute; the rest of the installation takes another. */
const NATIVE = 'better-sqlite3';
const BINARY = `node_modules/${NATIVE}/build/Release/better_sqlite3.node`;

/**
 * Installs what the lock file names, unless exactly that is installed already.
 *
 * @param beside - What can be done without SQLite, while that is compiled.
 */
export async function ensureInstalled(beside = async () => {}) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Failure(
      `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join('.')} or newer, and run this again.`,
    );
  }

  if (!isInstalled()) {
    await step('Install dependencies', () =>
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']).catch((error) => {
        throw new Failure(
          `${error.message}\n\nThe dependencies could not be installed. ` +
            'Check that npm reaches its registry (npm ping), and run this again; after a change of dependencies: npm run lock.',
        );
      }),
    );
  }
  await Promise.all([ensureCompiled(), beside()]);
}

async function ensureCompiled() {
  if (existsSync(join(ROOT, BINARY))) return;
  await step('Download or compile SQLite', () =>
    run('npm', ['rebuild', NATIVE], { variables: { JOBS: String(availableParallelism()) } }).catch(
      (error) => {
        throw new Failure(
          `${error.message}\n\nSQLite could not be compiled. Install Python 3 and a compiler for C++, and run this again.`,
        );
      },
    ),
  );
}

/**
 * Whether everything that the lock file names is there in that version. npm writes what it has installed into a lock file
 * of its own, as the last thing it does. Packages for other platforms are in the one and not in the other.
 */
function isInstalled() {
  try {
    const wanted = packagesIn('package-lock.json');
    const installed = packagesIn('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([place, { version, optional }]) =>
        place === '' || optional || (installed[place] && installed[place].version === version),
    );
  } catch {
    return false;
  }
}

function packagesIn(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
}
