/**
 * `npm run test:faults`: breaks processes, servers and connections for real, many times more often than `npm test` does.
 * `npm run test:faults -- <vitest arguments>` passes those on. MONQUE_FAULT_SCALE multiplies the rounds of `npm test`,
 * by five unless it is set; MONQUE_FAULT_SEED repeats the random moments of a run.
 */
import { ensureInstalled } from './steps/install.mjs';
import { main, runHere } from './steps/run.mjs';

await main(async () => {
  await ensureInstalled();
  return runHere(
    'vitest',
    ['run', '--project=faults', 'packages/core/test/faults', ...process.argv.slice(2)],
    {
      variables: { MONQUE_FAULT_SCALE: process.env.MONQUE_FAULT_SCALE || '5' },
    },
  );
});
