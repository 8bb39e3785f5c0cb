import type { ClaimRequest, StoredJob } from '@monque/core';
import type { Row } from '../operation.js';
import { JOB_COLUMNS, toJob } from '../rows/job-row.js';
import type { TypeNames } from '../rows/type-names.js';

/** Columns that a claim writes: what they hold is known without reading it. */
const WRITTEN: ReadonlySet<string> = new Set([
  'State',
  'UpdatedAt',
  'LockedAt',
  'LastHeartbeat',
  'HeartbeatInterval',
  'ClaimedBy',
  'ClaimToken',
]);

/** The columns of a claimed job as text, in the order of `JOB_COLUMNS`. */
export function claimedColumns(column: (name: string) => string): string {
  return JOB_COLUMNS.map((name) => {
    if (name === 'State') return '2';
    return WRITTEN.has(name) ? 'NULL' : column(name);
  }).join(', ');
}

/** A job from a row of {@link claimedColumns}; its times are those that the engine knows, a moment from the server's. */
export function claimedJob(row: Row, names: TypeNames, request: ClaimRequest): StoredJob<string> {
  const job = toJob(row, names);
  job.claimedBy = request.owner;
  job.claimToken = request.token;
  job.heartbeatInterval = request.heartbeatInterval;
  job.lockedAt = new Date(request.now);
  job.lastHeartbeat = new Date(request.now);
  job.updatedAt = new Date(request.now);
  return job;
}
