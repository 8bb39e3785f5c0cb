import type { JobStatus } from '@monque/core';
import { JobState } from '../schema/columns.js';

const STATUSES: readonly JobStatus[] = [
  'created',
  'pending',
  'processing',
  'completed',
  'pending',
  'cancelled',
  'failed',
  'awaiting-continuation',
  'awaiting-batch',
];

const STATES: Readonly<Record<JobStatus, readonly number[]>> = {
  created: [JobState.created],
  // A job that waits for its retry is in a state of its own.
  pending: [JobState.scheduled, JobState.failed],
  processing: [JobState.processing],
  completed: [JobState.succeeded],
  failed: [JobState.abandoned],
  cancelled: [JobState.cancelled],
  'awaiting-continuation': [JobState.awaitingContinuation],
  'awaiting-batch': [JobState.awaitingBatch],
};

/** The status that a state stands for. One that nobody has defined is held: no worker touches it. */
export function statusOf(state: number): JobStatus {
  return STATUSES[state] ?? 'created';
}

/** The states that stand for these statuses. */
export function statesOf(statuses: readonly JobStatus[]): number[] {
  return statuses.flatMap((status) => STATES[status]);
}

/** The state of a job that waits. */
export function waitingState(failCount: number): number {
  return failCount > 0 ? JobState.failed : JobState.scheduled;
}
