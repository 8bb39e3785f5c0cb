/** `npm run bench`: installs and builds what is missing, then measures Monque beside its peers; `-- --help` tells more. */
import { join } from 'node:path';
import { ensureBuilt } from './steps/build.mjs';
import { ensureInstalled } from './steps/install.mjs';
import { ROOT } from './steps/repository.mjs';
import { main } from './steps/run.mjs';

await main(async () => {
  await ensureInstalled(ensureBuilt);
  // Its own tsconfig, and not the workspace's with its paths to sources: what is measured is what users install.
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(ROOT, 'bench', 'tsconfig.json') });
  const { bench } = await import('../bench/src/main.ts');
  return bench(process.argv.slice(2));
});
