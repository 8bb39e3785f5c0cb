import { getNextCronDate } from '../../src/job/cron.js';

/** The next times of an expression, as ISO texts without seconds. */
export function times(expression: string, from: string, count: number, timezone?: string): string[] {
  const found: string[] = [];
  let last = new Date(from);
  while (found.length < count) {
    last = getNextCronDate(expression, last, timezone);
    found.push(last.toISOString().slice(0, 16));
  }
  return found;
}
