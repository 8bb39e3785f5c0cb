import type { JobContext, PersistedJob } from '@monque/core';
import { logger } from '@tsed/di';
import type { Handler } from './find-handlers.js';

/** What handlers throw to steer their run, and what they throw because they were told to end: none of it is a failure. */
const NO_FAILURE: readonly unknown[] = ['MONQUE_RETRY_AFTER', 'MONQUE_CANCEL_RUN', 'MONQUE_RUN_ABORTED'];

/** Logs a failed run. On the logger itself: that of the context would drop the line where its level is off. */
export function logJobError(
  { where }: Handler,
  job: PersistedJob<unknown, unknown>,
  { attempt }: JobContext<unknown>,
  thrown: unknown,
): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (NO_FAILURE.includes((error as { code?: unknown }).code)) return;
  logger().error({
    event: 'MONQUE_JOB_ERROR',
    jobName: job.name,
    jobId: String(job._id),
    handler: where,
    attempt,
    error_name: error.name,
    message: error.message,
    stack: error.stack,
  });
}
