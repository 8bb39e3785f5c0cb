import type { Job, PersistedJob } from './job.js';
import { JobStatus } from './status.js';

type MaybeJob = Job<unknown, unknown> | null | undefined;

const STATUSES: ReadonlySet<unknown> = new Set(Object.values(JobStatus));

/** Whether a job has been stored, and so has an id. */
export function isPersistedJob<T, Id>(job: Job<T, Id> | null | undefined): job is PersistedJob<T, Id> {
  return job?._id !== undefined && job._id !== null;
}

/** Whether a value is one of the statuses that a job can have. */
export function isValidJobStatus(value: unknown): value is JobStatus {
  return STATUSES.has(value);
}

/** Whether a job waits for its `nextRunAt`. */
export function isPendingJob(job: MaybeJob): boolean {
  return job?.status === JobStatus.PENDING;
}

/** Whether a process holds the job. */
export function isProcessingJob(job: MaybeJob): boolean {
  return job?.status === JobStatus.PROCESSING;
}

/** Whether a job finished successfully. */
export function isCompletedJob(job: MaybeJob): boolean {
  return job?.status === JobStatus.COMPLETED;
}

/** Whether a job failed for good. A job that waits for a retry is pending. */
export function isFailedJob(job: MaybeJob): boolean {
  return job?.status === JobStatus.FAILED;
}

/** Whether a job was cancelled. */
export function isCancelledJob(job: MaybeJob): boolean {
  return job?.status === JobStatus.CANCELLED;
}

/** Whether a job repeats by a cron expression. */
export function isRecurringJob(job: MaybeJob): boolean {
  return job?.repeatInterval !== undefined && job.repeatInterval !== null;
}
