import { JobStatus } from '../job/status.js';
import type { StatusCounts } from '../store/query-types.js';

/** How many jobs there are in each status. */
export interface QueueStats {
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
  /** Held until released; absent for none. */
  created?: number;
  /** Waiting for a parent job; absent for none. */
  awaitingContinuation?: number;
  /** Waiting for a batch; absent for none. */
  awaitingBatch?: number;
  /** All of them. */
  total: number;
  /** Mean run time of the latest 10,000 completed jobs, in milliseconds; absent without any. */
  avgProcessingDurationMs?: number;
}

/** The statuses that are told only where there are such jobs, and what they are called then. */
const RARE = [
  [JobStatus.CREATED, 'created'],
  [JobStatus.AWAITING_CONTINUATION, 'awaitingContinuation'],
  [JobStatus.AWAITING_BATCH, 'awaitingBatch'],
] as const;

/** Counts in the form that callers see. */
export function toQueueStats({ byStatus, avgProcessingDurationMs }: StatusCounts): QueueStats {
  const stats: QueueStats = {
    pending: byStatus[JobStatus.PENDING] ?? 0,
    processing: byStatus[JobStatus.PROCESSING] ?? 0,
    completed: byStatus[JobStatus.COMPLETED] ?? 0,
    failed: byStatus[JobStatus.FAILED] ?? 0,
    cancelled: byStatus[JobStatus.CANCELLED] ?? 0,
    total: 0,
  };
  for (const [status, key] of RARE) {
    const count = byStatus[status] ?? 0;
    if (count > 0) stats[key] = count;
  }
  // Other tools may have stored statuses that we do not know; what is told must still add up.
  for (const status of Object.values(JobStatus)) stats.total += byStatus[status] ?? 0;
  if (avgProcessingDurationMs !== undefined) stats.avgProcessingDurationMs = avgProcessingDurationMs;
  return stats;
}
