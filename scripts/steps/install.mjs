import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './progress.mjs';
import { ROOT } from './repository.mjs';
import { Failure, run } from './run.mjs';

const OLDEST_NODE = [20, 19];

/** Installs what the lock file names, unless exactly that is installed already. */
export async function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Failure(
      `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join('.')} or newer, and run this again.`,
    );
  }

  if (isInstalled()) return;
  await step('Install dependencies', async () => {
    try {
      await run('npm', ['ci', '--no-audit', '--no-fund']);
    } catch (error) {
      throw new Failure(
        `${error.message}\n\nThe dependencies could not be installed. ` +
          'Check that npm reaches its registry (npm ping), and run this again; after a change of dependencies: npm run lock.',
      );
    }
  });
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
