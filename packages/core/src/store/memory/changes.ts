import { type Change, type Changed, changeableStatuses } from '../change-types.js';
import { copyValue } from './copy-value.js';
import { isForgone } from './filter.js';
import type { JobTable } from './job-table.js';
import { type MemoryJob, unclaimed, without } from './memory-job.js';
import { isActive } from './unique-keys.js';

/** Changes one job, if its status and its unique key allow it. */
export function change(
  table: JobTable,
  job: MemoryJob,
  request: Change,
  now: Date,
): Changed<string> | undefined {
  if (!allows(job, request)) return undefined;
  const next = changed(job, request, now);
  if (isActive(next) && table.keyHolder(next) !== undefined) return undefined;
  table.put(next);
  return { job: copyValue(next), previousStatus: job.status };
}

function allows(job: MemoryJob, request: Change): boolean {
  if (!changeableStatuses(request).includes(job.status)) return false;
  // A member that its fill has not released yet is nobody else's business.
  if (request.type === 'cancel') return job.status !== 'awaiting-batch' || job.claimToken === undefined;
  return request.type !== 'await' || isForgone(job);
}

/** The job after the change. */
function changed(job: MemoryJob, request: Change, now: Date): MemoryJob {
  switch (request.type) {
    case 'cancel':
      return { ...unclaimed(job), status: 'cancelled', finishedAt: now, updatedAt: now };
    case 'retry': {
      const bare = without(unclaimed(job), 'failReason', 'finishedAt', 'result', 'progress');
      return { ...bare, status: 'pending', failCount: 0, nextRunAt: now, updatedAt: now };
    }
    case 'reschedule':
      return { ...job, nextRunAt: new Date(request.runAt), updatedAt: now };
    case 'release':
    case 'proceed':
      return {
        ...unclaimed(job),
        status: 'pending',
        nextRunAt: job.nextRunAt > now ? job.nextRunAt : now,
        updatedAt: now,
      };
    case 'forgo':
      return { ...job, status: 'cancelled', failReason: request.reason, finishedAt: now, updatedAt: now };
    case 'await': {
      const status = job.awaitsBatchId === undefined ? 'awaiting-continuation' : 'awaiting-batch';
      return { ...without(job, 'failReason', 'finishedAt'), status, updatedAt: now };
    }
  }
}
