import type { Collection, ObjectId } from 'mongodb';
import type { JobLogEntry } from '../../store/log-types.js';
import type { StoredJob } from '../../store/query-types.js';

/**
 * A job as MongoDB holds it: the field names are those of the specification. Documents that others wrote may lack
 * fields, or hold null where ours hold nothing.
 */
export type JobDocument = Omit<
  StoredJob<ObjectId>,
  'priority' | 'claimToken' | 'awaitsBatchId' | 'executedAt'
> & {
  priority?: number | null;
  claimToken?: string | null;
  awaitsBatchId?: string | null;
  executedAt?: Date | null;
};

/** A line of a job's log. */
export type LogDocument = JobLogEntry & { _id: ObjectId; jobId: ObjectId };

/** The collection of jobs. */
export type Jobs = Collection<JobDocument>;

/** The collection of log lines. */
export type Logs = Collection<LogDocument>;

/** What a claim puts on a job, and its end takes away; as the argument of `$unset`. */
export const CLAIM_FIELDS = {
  lockedAt: 1,
  claimedBy: 1,
  lastHeartbeat: 1,
  heartbeatInterval: 1,
  claimToken: 1,
} as const;

/** A job for the port. Fields that others set to null are passed on as they are. */
export function toStoredJob(document: JobDocument): StoredJob<ObjectId> {
  return document as StoredJob<ObjectId>;
}

/** A copy without the fields that `$unset` takes away. */
export function withoutFields(job: JobDocument, fields: object): JobDocument {
  // Not a copy and `delete`, which makes an object slow for good.
  const copy: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(job)) if (!(field in fields)) copy[field] = value;
  return copy as JobDocument;
}
