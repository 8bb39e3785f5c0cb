import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './progress.mjs';
import { PACKAGES, ROOT } from './repository.mjs';
import { run } from './run.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';

/** Builds the packages, unless their output already belongs to their sources. */
export async function ensureBuilt() {
  const sources = PACKAGES.flatMap((folder) =>
    ['src', 'package.json', 'tsdown.config.ts'].map((name) => `${folder}/${name}`),
  );
  const wanted = hashOf(['package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json', ...sources]);
  const complete = PACKAGES.every((folder) => existsSync(join(ROOT, folder, 'dist', 'index.d.ts')));
  if (complete && readStamp('build') === wanted) return;
  // In this order: a package's types are made from the built types of those it depends on.
  for (const folder of PACKAGES) {
    await step(`Build ${folder}`, () => run('tsdown', [], { cwd: join(ROOT, folder) }));
  }
  writeStamp('build', wanted);
}
