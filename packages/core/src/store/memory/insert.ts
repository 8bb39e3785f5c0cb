import type { Insert, Inserted, NewJob } from '../insert-types.js';
import { copyValue } from './copy-value.js';
import { idOfIdentity, type JobIds } from './job-ids.js';
import type { JobTable } from './job-table.js';
import { type MemoryJob, without } from './memory-job.js';

/** Stores one job, or finds the one that occupies its unique key. */
export function insert(table: JobTable, ids: JobIds, now: number, request: Insert): Inserted<string> {
  const given = copyValue(request.job as NewJob<string>);
  const id = request.identity === undefined ? ids.next(now) : idOfIdentity(request.identity, given.nextRunAt);
  const same = table.get(id);
  if (same !== undefined) return { job: copyValue(same), outcome: 'existing' };
  const holder = table.keyHolder(given);
  if (holder === undefined) {
    const job: MemoryJob = { ...given, _id: id, failCount: 0, updatedAt: given.createdAt };
    table.put(job);
    return { job: copyValue(job), outcome: 'inserted' };
  }
  if (request.onDuplicate === 'keep' || holder.status !== 'pending') {
    return { job: copyValue(holder), outcome: 'existing' };
  }
  const job = replaced(holder, given);
  table.put(job);
  return { job: copyValue(job), outcome: 'replaced' };
}

/** What a replaced job loses unless the new one brings it: its options, and what earlier attempts left. */
const LOST = [
  'repeatInterval',
  'timezone',
  'priority',
  'maxRetries',
  'backoff',
  'timeout',
  'failReason',
  'progress',
  'result',
] as const;

/** The new job in the place of the waiting one: it starts afresh, and only its id and age stay. */
function replaced(holder: MemoryJob, given: NewJob<string>): MemoryJob {
  const { status: _, createdAt, ...replacement } = given;
  return { ...without(holder, ...LOST), ...replacement, failCount: 0, updatedAt: createdAt };
}
