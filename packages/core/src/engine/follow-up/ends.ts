import type { StoredJob } from '../../store/query-types.js';
import type { Outcome } from '../../store/settle-types.js';

/** How a job ended, an occurrence of a recurring one, or a batch. */
export type End = 'completed' | 'failed' | 'cancelled';

/** A job that has ended. */
export interface Ended {
  readonly id: unknown;
  readonly end: End;
}

/** The end that an outcome means; undefined where the job will be tried again. */
export function endOf({ type }: Outcome): End | undefined {
  switch (type) {
    case 'completed':
    case 'repeat':
      return 'completed';
    case 'failed':
    case 'cancelled':
      return type;
    default:
      return undefined;
  }
}

/** Whether a job may run after this end of what it follows. */
export function mayRunAfter(end: End, { continueOn }: Pick<StoredJob, 'continueOn'>): boolean {
  if (continueOn === 'any') return true;
  return end === (continueOn === 'failure' ? 'failed' : 'completed');
}

/** Why a job does not run after this end; stored as its `failReason`. */
export function reasonToForgo(end: End, job: Pick<StoredJob, 'continueOn' | 'awaitsBatchId'>): string {
  const [ended, wanted] = job.awaitsBatchId === undefined ? PARENT_TEXTS : BATCH_TEXTS;
  return `${ended[end]}, and this job runs only if ${wanted[job.continueOn === 'failure' ? 'failed' : 'completed']}`;
}

const PARENT_TEXTS = [
  {
    completed: 'The parent job succeeded',
    failed: 'The parent job failed',
    cancelled: 'The parent job was cancelled',
  },
  { completed: 'it succeeds', failed: 'it fails' },
] as const;

const BATCH_TEXTS = [
  {
    completed: 'All jobs of the batch succeeded',
    failed: 'A job of the batch failed',
    cancelled: 'A job of the batch was cancelled',
  },
  { completed: 'all of them succeed', failed: 'one of them fails' },
] as const;
