import type { Outcome, StoredJob } from '@monque/core';
import { type Mutable, parseJson, toJson } from '../rows/job-row.js';

/** What a claim puts on a job and its end takes away, and what every ended job has beside. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'lockedAt',
  'claimedBy',
  'lastHeartbeat',
  'heartbeatInterval',
  'claimToken',
  '_id',
  'name',
  'data',
  'status',
  'nextRunAt',
  'failCount',
  'createdAt',
  'updatedAt',
  'executedAt',
]);

/** The job as an outcome leaves it, without another read. */
export function jobAfter(
  job: StoredJob<string>,
  outcome: Outcome,
  startedAt: Date,
  at: Date,
): StoredJob<string> {
  const after = ended(job, startedAt, at);
  switch (outcome.type) {
    case 'completed':
      setResult(after, outcome.result);
      return finished(after, 'completed', at);
    case 'repeat': {
      setResult(after, outcome.result);
      const { progress: _, ...waiting } = after;
      return { ...waiting, status: 'pending', nextRunAt: new Date(outcome.nextRunAt), failCount: 0 };
    }
    case 'retry':
      after.failCount = outcome.failCount;
      after.failReason = outcome.reason;
      return waits(after, outcome.nextRunAt);
    case 'failed':
      after.failCount = outcome.failCount;
      after.failReason = outcome.reason;
      return finished(after, 'failed', at);
    case 'cancelled':
      if (outcome.reason !== undefined) after.failReason = outcome.reason;
      return finished(after, 'cancelled', at);
    case 'snoozed':
      return waits(after, outcome.nextRunAt);
  }
}

/**
 * A copy without its claim. What every job has stands in one literal, and only what is left is copied field by field;
 * not a copy and `delete`, which makes an object slow for good. Only what an earlier attempt left is deleted.
 */
function ended(job: StoredJob<string>, startedAt: Date, at: Date): Mutable {
  const { _id, name, data, status, nextRunAt, failCount, createdAt } = job;
  const after = {
    _id,
    name,
    data,
    status,
    nextRunAt,
    failCount,
    createdAt,
    updatedAt: new Date(at),
    executedAt: new Date(startedAt),
  } as Mutable & Record<string, unknown>;
  for (const field in job) if (!NOT_COPIED.has(field)) after[field] = job[field as keyof typeof job];
  return after;
}

function setResult(after: Mutable, result: unknown): void {
  if ('failReason' in after) delete after.failReason;
  // As it will be read: what JSON does not know is gone.
  if (result !== undefined) after.result = typeof result === 'object' ? parseJson(toJson(result)) : result;
  else if ('result' in after) delete after.result;
}

function waits(after: Mutable, nextRunAt: Date): StoredJob<string> {
  after.status = 'pending';
  after.nextRunAt = new Date(nextRunAt);
  return after;
}

function finished(after: Mutable, status: 'completed' | 'failed' | 'cancelled', at: Date): StoredJob<string> {
  after.status = status;
  after.finishedAt = new Date(at);
  return after;
}
