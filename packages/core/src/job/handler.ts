import type { ObjectId } from 'mongodb';
import type { Monque } from '../monque.js';
import type { BatchCounts } from '../workflow/batch.js';
import type { BackoffOptions } from './backoff-options.js';
import type { PersistedJob } from './job.js';
import type { JobStatus } from './status.js';

/** What a handler learns of the job that its own follows, as it is when the run starts. */
export interface ParentOutcome<Id = ObjectId> {
  /** Its id. */
  readonly id: Id;
  /** Its status: `completed`, `failed` or `cancelled`; a recurring job is `pending` again. */
  readonly status: JobStatus;
  /** What its handler returned. */
  readonly result?: unknown;
  /** Message of its last failure. */
  readonly failReason?: string;
}

/** What a handler learns of the batch that its job follows, as it is when the run starts. */
export interface FollowedBatch {
  /** Its id. */
  readonly id: string;
  /** How many members it has. */
  readonly total: number;
  /** How many of them have each status. */
  readonly counts: BatchCounts;
}

/** What a handler gets beside its job. */
export interface JobContext<Id = ObjectId> {
  /**
   * Aborts when the run should end: its timeout passed, the job was cancelled or deleted, its claim went to
   * another process, or a shutdown ran out of time. The reason tells which.
   */
  readonly signal: AbortSignal;
  /** Number of this attempt, 1 for the first. */
  readonly attempt: number;
  /**
   * Stores how far the run has come.
   *
   * @param percent - 0 to 100.
   * @param message - What is being done.
   */
  progress(percent: number, message?: string): Promise<void>;
  /** Adds a line to the job's log; read it with `getJobLogs`. */
  log(text: string): Promise<void>;
  /** The job that this one follows; absent where it follows none, or that is deleted. */
  readonly parent?: ParentOutcome<Id>;
  /** The batch that this job follows; absent where it follows none. */
  readonly batch?: FollowedBatch;
  /** The instance that runs the job, to enqueue further ones. */
  readonly monque: Monque<Id>;
}

/**
 * Handles jobs of one name. What it returns is stored as the job's `result`; what it throws counts as a failure.
 *
 * @example
 * ```ts
 * import type { JobHandler } from '@monque/core';
 *
 * const sendEmail: JobHandler<{ to: string }> = async (job, { signal }) => {
 *   await fetch('https://mail.example.com', { method: 'POST', body: job.data.to, signal });
 * };
 * ```
 */
export type JobHandler<T = unknown, R = unknown, Id = ObjectId> = (
  job: PersistedJob<T, Id>,
  context: JobContext<Id>,
) => R | Promise<R>;

/** Computes the wait before the next attempt, in milliseconds. */
export type BackoffFunction<T = unknown, Id = ObjectId> = (
  failCount: number,
  error: Error,
  job: PersistedJob<T, Id>,
) => number;

/** How a worker runs its jobs. */
export interface WorkerOptions<T = unknown, Id = ObjectId> {
  /**
   * Jobs of this name that this process runs at the same time, at least 1.
   *
   * @defaultValue the instance's `workerConcurrency`
   */
  concurrency?: number;
  /**
   * Take the place of a worker that is registered under the same name, instead of an error.
   *
   * @defaultValue false
   */
  replace?: boolean;
  /**
   * Attempts for jobs that do not bring their own; 0 and 1 both mean that the first failure is final.
   *
   * @defaultValue the instance's `maxRetries`
   */
  maxRetries?: number;
  /**
   * Delays between attempts, for jobs that do not bring their own.
   *
   * @defaultValue exponential, from the instance's `baseRetryInterval`
   */
  backoff?: BackoffOptions | BackoffFunction<T, Id>;
  /**
   * Longest time that one run may take, in milliseconds, for jobs that do not bring their own.
   *
   * @defaultValue none
   */
  timeout?: number;
}
