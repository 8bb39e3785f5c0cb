/**
 * Where a job stands in its life.
 *
 * @example
 * ```ts
 * import { JobStatus } from '@monque/core';
 *
 * const open: JobStatus[] = [JobStatus.PENDING, JobStatus.PROCESSING];
 * ```
 */
export const JobStatus = {
  /** Waits for its `nextRunAt`, for the first time or for a retry. */
  PENDING: 'pending',
  /** Claimed by a process. */
  PROCESSING: 'processing',
  /** Finished successfully. */
  COMPLETED: 'completed',
  /** Failed for good: its attempts are used up, or the failure was permanent. */
  FAILED: 'failed',
  /** Stopped by a person or by its own handler. */
  CANCELLED: 'cancelled',
  /** Held: stored, and not scheduled until it is released. */
  CREATED: 'created',
  /** Waits for its parent job. */
  AWAITING_CONTINUATION: 'awaiting-continuation',
  /** Waits for every member of a batch. */
  AWAITING_BATCH: 'awaiting-batch',
} as const;

/** Where a job stands in its life; one of the values of the constant of the same name. */
export type JobStatus = (typeof JobStatus)[keyof typeof JobStatus];

/** The same as {@link JobStatus}, under the name that earlier releases used. */
export type JobStatusType = JobStatus;

/** Statuses that a job leaves only by hand. */
export const FINAL_STATUSES = [JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED] as const;

/** Statuses in which a job waits for others to end. */
export const WAITING_STATUSES = [JobStatus.AWAITING_CONTINUATION, JobStatus.AWAITING_BATCH] as const;

/** Statuses of a job that is not final. */
export const OPEN_STATUSES = [
  JobStatus.PROCESSING,
  JobStatus.PENDING,
  JobStatus.CREATED,
  ...WAITING_STATUSES,
] as const;

/** Statuses in which a job occupies its unique key. */
export const ACTIVE_STATUSES = [JobStatus.PENDING, JobStatus.PROCESSING] as const;
