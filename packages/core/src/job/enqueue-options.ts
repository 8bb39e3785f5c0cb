import type { BackoffOptions } from './backoff-options.js';

/** What `enqueue` and `schedule` have in common. */
interface IntakeOptions {
  /**
   * When the job is due; a date that has passed means at once. For `schedule`, the first run in place of the
   * next cron time.
   *
   * @defaultValue now, or the next cron time
   */
  runAt?: Date;
  /**
   * At most one pending or processing job exists per name and unique key; finished ones do not count.
   * Not blank, at most 1,024 characters, no control characters.
   *
   * @defaultValue none
   */
  uniqueKey?: string;
  /**
   * Higher runs first; a whole number, negative allowed.
   *
   * @defaultValue 0
   */
  priority?: number;
  /**
   * Attempts; 0 and 1 both mean that the first failure is final.
   *
   * @defaultValue the worker's own, or the instance's `maxRetries`
   */
  maxRetries?: number;
  /**
   * Delays between attempts.
   *
   * @defaultValue the worker's own, or exponential from the instance's `baseRetryInterval`
   */
  backoff?: BackoffOptions;
  /**
   * Longest time that one run may take, in milliseconds, at least 1. A run that takes longer fails at that
   * moment with `JobTimeoutError`, and its signal aborts.
   *
   * @defaultValue none
   */
  timeout?: number;
}

/** After which end a job runs: of its parent, or of the batch that it follows. */
export type ContinueOn = 'success' | 'failure' | 'any';

/** A job that another one follows. */
export interface JobParent {
  /** Its id, in the store's own form or as text. */
  id: unknown;
  /**
   * After which end the job runs: success, a failure for good, or any, which includes that the parent is cancelled. After
   * any other end it is cancelled.
   *
   * @defaultValue 'success'
   */
  on?: ContinueOn;
}

/**
 * How to store a job that follows another job or a batch.
 *
 * @example
 * ```ts
 * import type { ContinueOptions } from '@monque/core';
 *
 * const cleanUp: ContinueOptions = { on: 'any', priority: -1 };
 * ```
 */
export interface ContinueOptions
  extends Pick<IntakeOptions, 'runAt' | 'priority' | 'maxRetries' | 'backoff' | 'timeout'>,
    Pick<JobParent, 'on'> {
  /**
   * Milliseconds from now, not from the end that it waits for, before which the job does not run. Not together with `runAt`.
   *
   * @defaultValue 0
   */
  delay?: number;
}

/**
 * How to store a job.
 *
 * @example
 * ```ts
 * import type { EnqueueOptions } from '@monque/core';
 *
 * const inAnHour: EnqueueOptions = { delay: 3_600_000, uniqueKey: 'user-123', onDuplicate: 'replace' };
 * ```
 */
export interface EnqueueOptions extends IntakeOptions {
  /**
   * Milliseconds from now until the job is due. Not together with `runAt`.
   *
   * @defaultValue 0
   */
  delay?: number;
  /**
   * Store the job with the status `created`; it waits until `releaseJob(id)`.
   *
   * @defaultValue false
   */
  hold?: boolean;
  /**
   * What to do when the unique key is taken. `keep`: the existing job is the answer, unchanged. `replace`: a
   * pending one takes the new data, due time and options; a processing one is kept. `reject`: the call fails
   * with `DuplicateJobError`.
   *
   * @defaultValue 'keep'
   */
  onDuplicate?: 'keep' | 'replace' | 'reject';
  /**
   * A job that this one follows: it waits with the status `awaiting-continuation` until that one has ended. Not together
   * with `uniqueKey`, `hold` or `session`. A `delay` counts from now, not from that end.
   *
   * @defaultValue none
   */
  parent?: JobParent;
  /**
   * A transaction of your own, in the form of the store: a `ClientSession` on MongoDB. The job exists if and
   * only if it commits.
   *
   * @defaultValue none
   */
  session?: unknown;
}

/**
 * How to store a recurring job.
 *
 * @example
 * ```ts
 * import type { ScheduleOptions } from '@monque/core';
 *
 * const inBerlin: ScheduleOptions = { timezone: 'Europe/Berlin', uniqueKey: 'daily-report' };
 * ```
 */
export interface ScheduleOptions extends IntakeOptions {
  /**
   * Time zone in which the cron expression is read, such as `Europe/Berlin`.
   *
   * @defaultValue the instance's `timezone`
   */
  timezone?: string;
}
