import type { WorkReport } from '../child/commands.js';

/**
 * Checks that the processes together have handled every job exactly once. A system that is fast because it runs
 * jobs twice, or loses some, has no figure.
 *
 * @throws when they have not.
 */
export function checkHandledOnce(reports: readonly WorkReport[], expected: number): void {
  const seen = new Uint8Array(Math.ceil(expected / 8));
  let twice = 0;
  for (const report of reports) {
    twice += report.repeats;
    const own = Buffer.from(report.seen, 'base64');
    for (let index = 0; index < seen.length; index++) {
      const before = seen[index] ?? 0;
      const now = own[index] ?? 0;
      twice += bitsIn(before & now);
      seen[index] = before | now;
    }
  }
  const distinct = seen.reduce((sum, byte) => sum + bitsIn(byte), 0);
  if (distinct === expected && twice === 0) return;
  throw new Error(
    `Of ${expected} jobs, ${expected - distinct} were not handled and ${twice} were handled again`,
  );
}

function bitsIn(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}
