import type { Job } from './job.js';

/** The batch that a job is a member of; undefined for one that is in none, or only follows one. */
export function memberOf({
  batchId,
  awaitsBatchId,
}: Pick<Job<unknown, unknown>, 'batchId' | 'awaitsBatchId'>): string | undefined {
  return awaitsBatchId === undefined ? batchId : undefined;
}
