import type { Engine } from '../engine/engine.js';
import { DuplicateJobError } from '../errors/state-errors.js';
import { JobStatus } from '../job/status.js';
import type { Inserted } from '../store/insert-types.js';
import type { StoredJob } from '../store/query-types.js';

/** Wakes the engine for what was stored just now, and refuses a duplicate where the caller asked for that. */
export function acceptInserted<Id>(
  engine: Pick<Engine, 'wake'>,
  { job, outcome }: Inserted<Id>,
  onDuplicate: 'keep' | 'replace' | 'reject',
): StoredJob<Id> {
  if (outcome === 'existing') {
    if (onDuplicate === 'reject') throw duplicate(job);
  } else if (job.status === JobStatus.PENDING) {
    engine.wake(job.nextRunAt);
  }
  return job;
}

function duplicate<Id>({ _id, name, status, uniqueKey }: StoredJob<Id>): DuplicateJobError {
  return new DuplicateJobError(
    `Job ${String(_id)} ("${name}") is ${status} under the same unique key "${uniqueKey}". ` +
      "Wait for it, or leave out onDuplicate: 'reject' to get it as the answer",
    String(_id),
  );
}
