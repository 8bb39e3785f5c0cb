/** `npm run soak`: minutes or hours of random load and random kills on the sources; `-- --help` tells more. */
import { join } from 'node:path';
import { ensureInstalled } from './steps/install.mjs';
import { ROOT } from './steps/repository.mjs';
import { main } from './steps/run.mjs';

await main(async () => {
  await ensureInstalled();
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(ROOT, 'tsconfig.json') });
  const { soak } = await import('../packages/core/test/soak/main.ts');
  return soak(process.argv.slice(2));
});
