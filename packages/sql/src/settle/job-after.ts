import type { Outcome, StoredJob } from '@monque/core';
import { parseJson, toJson } from '../rows/job-row.js';

/** What a claim puts on a job, and its end takes away. */
const CLAIM_FIELDS: ReadonlySet<string> = new Set([
  'lockedAt',
  'claimedBy',
  'lastHeartbeat',
  'heartbeatInterval',
  'claimToken',
]);

/** The job as an outcome leaves it, without another read. */
export function jobAfter(
  job: StoredJob<string>,
  outcome: Outcome,
  startedAt: Date,
  at: Date,
): StoredJob<string> {
  const after = without(job, CLAIM_FIELDS);
  after.executedAt = new Date(startedAt);
  after.updatedAt = new Date(at);
  switch (outcome.type) {
    case 'completed':
      return finished(succeeded(after, outcome.result), 'completed', at);
    case 'repeat': {
      const { progress: _, ...waiting } = succeeded(after, outcome.result);
      return { ...waiting, status: 'pending', nextRunAt: new Date(outcome.nextRunAt), failCount: 0 };
    }
    case 'retry':
      return {
        ...after,
        status: 'pending',
        nextRunAt: new Date(outcome.nextRunAt),
        failCount: outcome.failCount,
        failReason: outcome.reason,
      };
    case 'failed':
      return finished({ ...after, failCount: outcome.failCount, failReason: outcome.reason }, 'failed', at);
    case 'cancelled':
      return finished(
        outcome.reason === undefined ? after : { ...after, failReason: outcome.reason },
        'cancelled',
        at,
      );
    case 'snoozed':
      return { ...after, status: 'pending', nextRunAt: new Date(outcome.nextRunAt) };
  }
}

const SUCCESS_REMOVES: ReadonlySet<string> = new Set(['failReason', 'result']);

function succeeded(job: StoredJob<string>, result: unknown): StoredJob<string> {
  const bare = 'failReason' in job || 'result' in job ? without(job, SUCCESS_REMOVES) : job;
  // As it will be read: what JSON does not know is gone.
  if (result !== undefined) bare.result = typeof result === 'object' ? parseJson(toJson(result)) : result;
  return bare;
}

function finished(
  job: StoredJob<string>,
  status: 'completed' | 'failed' | 'cancelled',
  at: Date,
): StoredJob<string> {
  job.status = status;
  job.finishedAt = new Date(at);
  return job;
}

/** A copy without some fields; not a copy and `delete`, which makes an object slow for good. */
function without(job: StoredJob<string>, fields: ReadonlySet<string>): StoredJob<string> {
  const copy: Record<string, unknown> = {};
  for (const field in job) if (!fields.has(field)) copy[field] = job[field as keyof typeof job];
  return copy as unknown as StoredJob<string>;
}
