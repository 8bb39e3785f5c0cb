/** `npm run build`: builds what has changed. */
import { ensureBuilt } from './steps/build.mjs';
import { ensureInstalled } from './steps/install.mjs';
import { main } from './steps/run.mjs';

await main(async () => {
  await ensureInstalled(ensureBuilt);
});
