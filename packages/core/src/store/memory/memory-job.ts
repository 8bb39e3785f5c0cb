import type { StoredJob } from '../query-types.js';

/**
 * A job inside the store. It is never modified: every write puts a new object in its place, so that a
 * reference tells one version of a job from the next.
 */
export type MemoryJob = Readonly<StoredJob<string>>;

type Field = keyof StoredJob<string>;

/** What a claim puts on a job, and its end takes away. */
const CLAIM_FIELDS: readonly Field[] = [
  'lockedAt',
  'claimedBy',
  'lastHeartbeat',
  'heartbeatInterval',
  'claimToken',
];

/** A copy without some fields: the keys are gone, not undefined. */
export function without(job: MemoryJob, ...fields: readonly Field[]): StoredJob<string> {
  const copy = { ...job };
  for (const field of fields) delete copy[field];
  return copy;
}

/** A copy that nobody holds. */
export function unclaimed(job: MemoryJob): StoredJob<string> {
  return without(job, ...CLAIM_FIELDS);
}

/** Whether a claim with this token holds the job. */
export function isHeld(job: MemoryJob | undefined, token: string): job is MemoryJob {
  return job?.status === 'processing' && job.claimToken === token;
}

/** Whether the job waits for its due time. A pending one that others wrote without any is never due. */
export function isQueued(job: MemoryJob | undefined): job is MemoryJob {
  return job?.status === 'pending' && job.nextRunAt instanceof Date;
}
