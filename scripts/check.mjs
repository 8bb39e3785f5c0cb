/** `npm run check`: lint, types, package checks, dead code, requirements. */
import { runChecks } from './steps/checks.mjs';
import { ensureInstalled } from './steps/install.mjs';
import { Failure, main } from './steps/run.mjs';

await main(async () => {
  let failures = [];
  await ensureInstalled(async () => {
    failures = await runChecks();
  });
  if (failures.length > 0) throw new Failure(failures.join('\n\n'));
});
