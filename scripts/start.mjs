/**
 * `npm start`: installs and builds what is missing, then runs the demo.
 *
 * package.json calls it with `exec`, so that no shell stands between npm and the demo: one would swallow the signals
 * that are sent to npm, and turn a clean stop into a failure. Shells without `exec` run what stands after `||`.
 */
import { join } from 'node:path';
import { ensureBuilt } from './steps/build.mjs';
import { ensureInstalled } from './steps/install.mjs';
import { ROOT } from './steps/repository.mjs';
import { main } from './steps/run.mjs';

await main(async () => {
  await ensureInstalled(ensureBuilt);
  // In this process, so that Ctrl-C and other signals reach the demo directly. Its own tsconfig, and not the
  // workspace's with its paths to sources: the demo runs on the built packages, as a user's program would.
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(ROOT, 'examples', 'tsconfig.json') });
  await import('../examples/demo/main.ts');
  return process.exitCode;
});
