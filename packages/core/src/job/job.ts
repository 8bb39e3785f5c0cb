import type { ObjectId } from 'mongodb';
import type { BackoffOptions } from './backoff-options.js';
import type { JobStatus } from './status.js';

/** How far a running job has come, as its handler last said. */
export interface JobProgress {
  /** Percent done, 0 to 100. */
  value: number;
  /** What the handler is doing. */
  message?: string;
  /** When it was said. */
  at: Date;
}

/**
 * A unit of work as it is stored. Optional fields are absent when they do not apply.
 *
 * @typeParam T - The payload.
 * @typeParam Id - The store's own kind of id: an `ObjectId` on MongoDB, a string elsewhere.
 */
export interface Job<T = unknown, Id = ObjectId> {
  /** Identity, given by the store. */
  _id?: Id;
  /** Names the worker that handles it. */
  name: string;
  /** The payload. */
  data: T;
  /** Where it stands. */
  status: JobStatus;
  /** When it is due. */
  nextRunAt: Date;
  /** Failed attempts so far; a success of a recurring job sets it back to 0. */
  failCount: number;
  /** Message of the last failure. */
  failReason?: string;
  /** Cron expression of a recurring job. */
  repeatInterval?: string;
  /** Time zone of `repeatInterval`, where it differs from the instance's own. */
  timezone?: string;
  /** At most one pending or processing job exists per name and unique key. */
  uniqueKey?: string;
  /** Higher runs first; absent means 0. */
  priority?: number;
  /** Attempts that this job may use, where it differs from the instance's own. */
  maxRetries?: number;
  /** Delays between its attempts, where they differ from the instance's own. */
  backoff?: BackoffOptions;
  /** Longest time that one run may take, in milliseconds. */
  timeout?: number;
  /** The recurring template that made it. */
  recurringId?: string;
  /** The job that it follows. */
  parentJobId?: Id;
  /** The batch that it belongs to or, together with `awaitsBatchId`, follows. */
  batchId?: string;
  /** The batch that it follows; for good, so a job that has it is no member of that batch. */
  awaitsBatchId?: string;
  /** After which end of its parent or its batch it runs; absent means after success. */
  continueOn?: 'failure' | 'any';
  /** What its handler returned. */
  result?: unknown;
  /** How far its handler has come. */
  progress?: JobProgress;
  /** When it was stored. */
  createdAt: Date;
  /** When it was last changed. */
  updatedAt: Date;
  /** When its last run began. */
  executedAt?: Date;
  /** When it became final. */
  finishedAt?: Date;
  /** When its claim was last renewed. */
  lockedAt?: Date | null;
  /** The instance that holds it. */
  claimedBy?: string | null;
  /** The last sign of life of that instance. */
  lastHeartbeat?: Date | null;
  /** How often that instance gives one, in milliseconds. */
  heartbeatInterval?: number;
  /**
   * Fences the claim: only writes that carry the same token change the job. On a member of a batch that is still being
   * stored, it names the call that stores it.
   */
  claimToken?: string;
}

/** A job that has been stored, and so has an id. */
export type PersistedJob<T = unknown, Id = ObjectId> = Job<T, Id> & { _id: Id };
