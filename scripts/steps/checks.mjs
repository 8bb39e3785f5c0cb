import { ensureBuilt } from './build.mjs';
import { step } from './progress.mjs';
import { PACKAGES } from './repository.mjs';
import { run } from './run.mjs';

/** Two at a time: the slowest is as long as all others together. */
const LANES = 2;

/** Everything that can be said about the workspace without running a test. Expects that it is installed. */
export async function runChecks() {
  const failures = [];
  const check = (name, body) => step(name, body).catch((error) => failures.push(error.message));

  await check('Build', ensureBuilt);
  const checks = [
    ['Types (tsc)', () => run('tsc', ['--project', 'tsconfig.json'])],
    ['Types of what is for Ts.ED (tsc)', () => run('tsc', ['--project', 'packages/tsed'])],
    ['Types of the Ts.ED examples (tsc)', () => run('tsc', ['--project', 'examples/tsed'])],
    ['Lint and format (biome)', () => run('biome', ['ci', '--colors=off', '--error-on-warnings'])],
    ['Dead code and dependencies (knip)', () => run('knip', ['--no-progress'])],
    ['Requirements and their tests', () => run(process.execPath, ['scripts/check-requirements.mjs'])],
    ['Examples in the documentation', () => run(process.execPath, ['scripts/check-examples.mjs'])],
    ['Packed packages in a project of their own', () => run(process.execPath, ['scripts/check-packed.mjs'])],
    ...PACKAGES.map((folder) => [`Package ${folder} (publint, attw)`, () => checkPackage(folder)]),
  ];
  const lane = async () => {
    for (let next = checks.shift(); next; next = checks.shift()) await check(...next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return failures;
}

async function checkPackage(folder) {
  await run('publint', ['run', folder, '--strict']);
  await run('attw', ['--pack', folder, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']);
}
