import type { JobStatus } from '../../job/status.js';
import type { StatusCounts } from '../query-types.js';
import { smallest } from './binary-heap.js';
import type { MemoryJob } from './memory-job.js';

/** Completed jobs whose run times make up the mean. */
const LATEST = 10_000;

/** Counts jobs by status, and takes the mean run time of the latest completed ones. */
export function counts(jobs: Iterable<MemoryJob>): StatusCounts {
  const byStatus: Partial<Record<JobStatus, number>> = {};
  const completed: MemoryJob[] = [];
  for (const job of jobs) {
    byStatus[job.status] = (byStatus[job.status] ?? 0) + 1;
    if (job.status === 'completed') completed.push(job);
  }
  const latest = smallest(completed, LATEST, (a, b) => timeOf(endOf(b)) - timeOf(endOf(a)));
  const durations = latest.flatMap((job) => durationOf(job) ?? []);
  if (durations.length === 0) return { byStatus };
  const sum = durations.reduce((total, duration) => total + duration, 0);
  return { byStatus, avgProcessingDurationMs: sum / durations.length };
}

/** The same for every name. */
export function countsByName(jobs: Iterable<MemoryJob>): Map<string, StatusCounts> {
  const groups = new Map<string, MemoryJob[]>();
  for (const job of jobs) {
    const group = groups.get(job.name);
    if (group === undefined) groups.set(job.name, [job]);
    else group.push(job);
  }
  return new Map([...groups].map(([name, group]) => [name, counts(group)]));
}

function endOf(job: MemoryJob): Date | undefined {
  return job.finishedAt ?? job.updatedAt;
}

/**
 * Jobs that others completed have no run times; the span from creation to the last change stands in. Where they lack
 * these too, nothing is known.
 */
function durationOf({ executedAt, finishedAt, createdAt, updatedAt }: MemoryJob): number | undefined {
  if (executedAt && finishedAt) return finishedAt.getTime() - executedAt.getTime();
  return createdAt && updatedAt ? updatedAt.getTime() - createdAt.getTime() : undefined;
}

/** A job without any time is the oldest. */
function timeOf(time: Date | undefined): number {
  return time?.getTime() ?? 0;
}
