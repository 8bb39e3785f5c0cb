import type { NewRow } from './new-row.js';

/** The earliest time for which one of these jobs waits, and their name if they share one; undefined if none waits. */
export function earliestDue(rows: readonly NewRow[]): { nextRunAt: Date; name?: string } | undefined {
  let earliest: Date | undefined;
  let name: string | undefined;
  let isShared = true;
  for (const { job } of rows) {
    if (job.status !== 'pending') continue;
    if (earliest === undefined) name = job.name;
    else if (job.name !== name) isShared = false;
    if (earliest === undefined || job.nextRunAt < earliest) earliest = job.nextRunAt;
  }
  if (earliest === undefined) return undefined;
  return { nextRunAt: earliest, ...(isShared && name !== undefined && { name }) };
}
