import type { JobFilter, TimeRange } from '../query-types.js';
import { isWaiting } from './job-links.js';
import type { MemoryJob } from './memory-job.js';

/** Whether a job is meant by a filter. */
export function matches(job: MemoryJob, filter: JobFilter): boolean {
  return (
    (filter.name === undefined || job.name === filter.name) &&
    (filter.uniqueKey === undefined || job.uniqueKey === filter.uniqueKey) &&
    (filter.statuses === undefined || filter.statuses.includes(job.status)) &&
    isLinked(job, filter) &&
    isWithin(job.createdAt, filter.createdAt) &&
    isWithin(job.updatedAt, filter.updatedAt) &&
    isWithin(job.nextRunAt, filter.nextRunAt)
  );
}

function isLinked(
  job: MemoryJob,
  { ids, parents, memberOf, awaitsBatch, fill, forgone }: JobFilter,
): boolean {
  return (
    (ids === undefined || ids.includes(job._id)) &&
    (parents === undefined || parents.includes(job.parentJobId)) &&
    (memberOf === undefined || (job.batchId === memberOf && job.awaitsBatchId === undefined)) &&
    (awaitsBatch === undefined || job.awaitsBatchId === awaitsBatch) &&
    (fill === undefined || (isWaiting(job) && job.claimToken === (fill ?? undefined))) &&
    (forgone === undefined || isForgone(job) === forgone)
  );
}

/** Whether a job never ran because what it was to follow ended in the wrong way: cancelling by hand gives no reason. */
export function isForgone({
  status,
  executedAt,
  failReason,
  parentJobId,
  awaitsBatchId,
}: MemoryJob): boolean {
  const follows = parentJobId !== undefined || awaitsBatchId !== undefined;
  return follows && status === 'cancelled' && executedAt === undefined && failReason !== undefined;
}

/** A job that others wrote may lack the time; then it is in no range, unless the range says otherwise. */
function isWithin(time: Date | undefined, range: TimeRange | undefined): boolean {
  if (range === undefined || (range.from === undefined && range.to === undefined)) return true;
  if (!time) return range.orAbsent === true;
  return (range.from === undefined || time >= range.from) && (range.to === undefined || time <= range.to);
}
