import { FINAL_STATUSES, JobStatus } from '../job/status.js';
import type { BatchOutcome, BatchRecord, MemberCounts } from '../store/batch-types.js';

/** How many members of a batch have each status; the rarer ones are there only where it is not zero. */
export interface BatchCounts {
  /** Waiting for their time, or for a retry. */
  pending: number;
  /** Claimed by a process. */
  processing: number;
  /** Finished successfully. */
  completed: number;
  /** Failed for good. */
  failed: number;
  /** Cancelled. */
  cancelled: number;
  /** Stored, and on their way to be released. */
  'awaiting-batch'?: number;
}

/** A batch of jobs as it is now. */
export interface Batch {
  /** Its id, as it was given or made. */
  id: string;
  /** What it was called, for people. */
  name?: string;
  /** How many members it has. */
  total: number;
  /** How many of them have each status. */
  counts: BatchCounts;
  /** The share of members that are final, 0 to 1; 1 for a batch without members. */
  progress: number;
  /** When it was stored. */
  createdAt: Date;
  /** When a process first took one of its members. */
  startedAt?: Date;
  /** When it was complete: every member final. Absent while it is open, and again after `retryBatch`. */
  finishedAt?: Date;
  /** Present together with `finishedAt`: `failed` where a member failed, else `cancelled` where one was cancelled. */
  outcome?: BatchOutcome;
}

/** A batch for callers. */
export function toBatch(record: BatchRecord, members: MemberCounts): Batch {
  const { id, name, createdAt, startedAt, finishedAt, outcome } = record;
  const total = sumOf(members, Object.values(JobStatus));
  return {
    id,
    ...(name !== undefined && { name }),
    total,
    counts: toBatchCounts(members),
    progress: total === 0 ? 1 : sumOf(members, FINAL_STATUSES) / total,
    createdAt,
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(outcome !== undefined && { outcome }),
  };
}

export function toBatchCounts(members: MemberCounts): BatchCounts {
  const waiting = members[JobStatus.AWAITING_BATCH] ?? 0;
  return {
    pending: members[JobStatus.PENDING] ?? 0,
    processing: members[JobStatus.PROCESSING] ?? 0,
    completed: members[JobStatus.COMPLETED] ?? 0,
    failed: members[JobStatus.FAILED] ?? 0,
    cancelled: members[JobStatus.CANCELLED] ?? 0,
    ...(waiting > 0 && { 'awaiting-batch': waiting }),
  };
}

export function sumOf(members: MemberCounts, statuses: readonly JobStatus[]): number {
  return statuses.reduce((sum, status) => sum + (members[status] ?? 0), 0);
}
