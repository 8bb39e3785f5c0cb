import type { StoredJob } from '@monque/core';

/** Higher priority first, then the earliest due, then the oldest. */
export function compareJobs(one: StoredJob<string>, other: StoredJob<string>): number {
  return (
    (other.priority ?? 0) - (one.priority ?? 0) ||
    one.nextRunAt.getTime() - other.nextRunAt.getTime() ||
    (one._id < other._id ? -1 : 1)
  );
}

/** The earliest due time of some jobs. */
export function earliestOf(jobs: readonly StoredJob<string>[]): Date | undefined {
  let earliest: Date | undefined;
  for (const { nextRunAt } of jobs) if (earliest === undefined || nextRunAt < earliest) earliest = nextRunAt;
  return earliest;
}
