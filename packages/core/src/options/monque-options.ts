/** How long finished jobs are kept, in milliseconds; 0 removes them at the next look. */
export interface JobRetention {
  /**
   * Age, since the last change, at which completed jobs are removed.
   *
   * @defaultValue none: they are kept
   */
  completed?: number;
  /**
   * The same for jobs that failed for good.
   *
   * @defaultValue none: they are kept
   */
  failed?: number;
  /**
   * The same for cancelled jobs.
   *
   * @defaultValue none: they are kept
   */
  cancelled?: number;
  /**
   * Time between two looks, at least 1.
   *
   * @defaultValue 3_600_000
   */
  interval?: number;
}

/**
 * How an instance works. Times are in milliseconds. A value that cannot be used throws `InvalidOptionError`.
 *
 * @example
 * ```ts
 * import type { MonqueOptions } from '@monque/core';
 *
 * const options: MonqueOptions = {
 *   workerConcurrency: 10,
 *   maxRetries: 5,
 *   jobRetention: { completed: 7 * 86_400_000 },
 *   timezone: 'Europe/Berlin',
 * };
 * ```
 */
export interface MonqueOptions {
  /**
   * Name of the MongoDB collection that holds the jobs.
   *
   * @defaultValue 'monque_jobs'
   */
  collectionName?: string;
  /**
   * Time between two looks for due jobs while changes by other processes cannot be seen at once, at least 1.
   * Jobs whose due time is known do not wait for it.
   *
   * @defaultValue 1_000
   */
  pollInterval?: number;
  /**
   * Time between two looks for due jobs while changes by other processes are seen at once, at least 1.
   *
   * @defaultValue 30_000
   */
  safetyPollInterval?: number;
  /**
   * Attempts of a job. 1 means that the first failure is final, and so does 0.
   *
   * @defaultValue 10
   */
  maxRetries?: number;
  /**
   * Base of the delay before a retry, which is 2^failures x base. 0 retries at once.
   *
   * @defaultValue 1_000
   */
  baseRetryInterval?: number;
  /**
   * Longest delay before a retry.
   *
   * @defaultValue 86_400_000
   */
  maxBackoffDelay?: number;
  /**
   * Share of the delay, 0 to 1, by which it is moved at random, so that jobs which failed together do not come
   * back together.
   *
   * @defaultValue 0
   */
  retryJitter?: number;
  /**
   * Time that `stop()` gives running handlers. 0 waits for none.
   *
   * @defaultValue 30_000
   */
  shutdownTimeout?: number;
  /**
   * Jobs of one name that this process runs at the same time, at least 1; `register` can say otherwise.
   *
   * @defaultValue 5
   */
  workerConcurrency?: number;
  /** The same as `workerConcurrency`, which counts where both are given. */
  defaultConcurrency?: number;
  /**
   * Jobs that this process runs at the same time over all names, at least 1.
   *
   * @defaultValue none
   */
  instanceConcurrency?: number;
  /** The same as `instanceConcurrency`, which counts where both are given. */
  maxConcurrency?: number;
  /**
   * Time between two renewals of what this process holds, at least 1. Shortened to a third of `lockTimeout`
   * where it is longer, so that one late renewal loses nothing.
   *
   * @defaultValue 30_000
   */
  heartbeatInterval?: number;
  /**
   * Silence after which a claimed job counts as abandoned, at least 1.
   *
   * Heartbeats renew the claim, so this bounds how long a crash delays a job, not how long a job may run.
   *
   * @defaultValue 120_000; 1_800_000 for jobs claimed by a Monque that does not renew `lockedAt`
   */
  lockTimeout?: number;
  /**
   * Give back what dead processes held, at start-up and while running.
   *
   * @defaultValue true
   */
  recoverStaleJobs?: boolean;
  /**
   * Name of this process in `claimedBy`. No two live processes may share one.
   *
   * @defaultValue a random UUID
   */
  schedulerInstanceId?: string;
  /**
   * Remove finished jobs by age.
   *
   * @defaultValue none: they are kept
   */
  jobRetention?: JobRetention;
  /**
   * Leave indexes, or the schema, to you. Without the unique index of MongoDB, processes that enqueue the same
   * `uniqueKey` at the very same moment may both store a job.
   *
   * @defaultValue false
   */
  skipIndexCreation?: boolean;
  /**
   * Time for which `getQueueStats` may repeat an answer. 0 always asks the database.
   *
   * @defaultValue 5_000
   */
  statsCacheTtlMs?: number;
  /**
   * Largest payload and largest result, in bytes, at least 1.
   *
   * @defaultValue the store's own limit, 16 MB on MongoDB
   */
  maxPayloadSize?: number;
  /**
   * Time zone in which cron expressions are read.
   *
   * @defaultValue 'UTC', so that all hosts agree
   */
  timezone?: string;
}
