import { ACTIVE_STATUSES, JobStatus, WAITING_STATUSES } from '../job/status.js';
import type { StoredJob } from './query-types.js';

/** What becomes of jobs by other hands than those of their runs. */
export type Change =
  /**
   * Pending or waiting for others (with `running`, also processing) to cancelled. A run loses its claim by it. A member
   * of a batch that a fill has not released yet is passed over.
   */
  | { readonly type: 'cancel'; readonly running: boolean }
  /** Failed or cancelled to pending: fail count 0, reason and finish removed, due now. */
  | { readonly type: 'retry' }
  /** A pending job gets another due time. */
  | { readonly type: 'reschedule'; readonly runAt: Date }
  /** Created to pending; its due time stays, or is now where that has passed. */
  | { readonly type: 'release' }
  /** Waiting for others to pending, without a fill's token; its due time stays, or is now where that has passed. */
  | { readonly type: 'proceed' }
  /** Waiting for others to cancelled, with the reason. */
  | { readonly type: 'forgo'; readonly reason: string }
  /** Takes a `forgo` back: cancelled, never run and with a reason, to waiting for parent or batch. */
  | { readonly type: 'await' };

/** Statuses in which a change may be made. */
export function changeableStatuses(change: Change): readonly JobStatus[] {
  switch (change.type) {
    case 'cancel':
      return [...(change.running ? ACTIVE_STATUSES : [JobStatus.PENDING]), ...WAITING_STATUSES];
    case 'retry':
      return [JobStatus.FAILED, JobStatus.CANCELLED];
    case 'reschedule':
      return [JobStatus.PENDING];
    case 'release':
      return [JobStatus.CREATED];
    case 'proceed':
    case 'forgo':
      return WAITING_STATUSES;
    case 'await':
      return [JobStatus.CANCELLED];
  }
}

/** A job that was changed. */
export interface Changed<Id = unknown> {
  readonly job: StoredJob<Id>;
  readonly previousStatus: JobStatus;
}
