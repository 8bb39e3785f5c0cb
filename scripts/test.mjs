/**
 * `npm test`: installs and builds what is missing, checks the workspace, and runs every test.
 * `npm test -- <vitest arguments>` runs Vitest alone with those arguments.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './steps/build.mjs';
import { runChecks } from './steps/checks.mjs';
import { ensureInstalled } from './steps/install.mjs';
import { Failure, main, runHere } from './steps/run.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  if (args.length > 0) {
    await ensureInstalled();
    return (await runTests(args)).code;
  }

  let failures = [];
  await ensureInstalled(async () => {
    await ensureBuilt();
    failures = await runChecks();
  });
  if (failures.length > 0) console.error(`\n${failures.join('\n\n')}\n`);
  const { code } = await runTests([], failures.length);
  return failures.length > 0 ? 1 : code;
});

/** Runs Vitest and ends with a line that counts. Tests run even where a check failed: one run tells everything. */
async function runTests(args, failedChecks = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'monque-test-report-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runHere('vitest', ['run', ...reporters, ...args]);
    const counts = readCounts(report);
    if (failedChecks > 0)
      console.log(`\n${failedChecks} of the checks failed; their messages are above the tests.`);
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    return { code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCounts(report) {
  let text;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    throw new Failure('Vitest ended before it could count its tests; its message is above.');
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(text);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}
