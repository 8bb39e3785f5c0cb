import type { JobProgress, StoredJob } from '@monque/core';
import type { Row } from '../operation.js';
import type { JobRow } from '../schema/columns.js';
import { statusOf } from './job-states.js';
import { parseTime } from './times.js';
import type { TypeNames } from './type-names.js';

/** The columns of a job in the order in which every query asks for them. */
export const JOB_COLUMNS = [
  'Id',
  'TypeName',
  'Arguments',
  'State',
  'CreatedAt',
  'ScheduledAt',
  'ExecutedAt',
  'RetryCount',
  'MaxRetryCount',
  'ErrorMessage',
  'Result',
  'UpdatedAt',
  'FinishedAt',
  'LockedAt',
  'LastHeartbeat',
  'HeartbeatInterval',
  'ClaimedBy',
  'ClaimToken',
  'UniqueKey',
  'RepeatInterval',
  'Timezone',
  'Priority',
  'Timeout',
  'Progress',
  'Backoff',
  'OwnRetries',
  'RecurringJobId',
  'ParentJobId',
  'BatchId',
  'AwaitsBatchId',
  'ContinueOn',
] as const satisfies readonly (keyof JobRow)[];

/** Those of them that hold times. */
export const TIME_COLUMNS: ReadonlySet<string> = new Set<keyof JobRow>([
  'CreatedAt',
  'ScheduledAt',
  'ExecutedAt',
  'UpdatedAt',
  'FinishedAt',
  'LockedAt',
  'LastHeartbeat',
]);

/** Allowed attempts of an instance that says nothing else; what is stored for jobs that follow the instance. */
const DEFAULT_ATTEMPTS = 10;

/** What `MaxRetryCount` and `OwnRetries` say for a job's own number of attempts, if it has one. */
export function retryColumns(maxRetries: number | undefined): Pick<JobRow, 'MaxRetryCount' | 'OwnRetries'> {
  // No attempt at all and one mean the same: the first failure is final.
  return {
    MaxRetryCount: Math.max(0, (maxRetries ?? DEFAULT_ATTEMPTS) - 1),
    OwnRetries: maxRetries === undefined ? 0 : 1,
  };
}

type Mutable = { -readonly [Field in keyof StoredJob<string>]: StoredJob<string>[Field] };

/** A job from a row in the order of {@link JOB_COLUMNS}. What is null there is absent here. */
export function toJob(row: Row, names: TypeNames): StoredJob<string> {
  const created = parseTime(row[4]) ?? new Date(0);
  const job = {
    _id: row[0] as string,
    name: names.nameOf(row[1] as string),
    data: parseJson(row[2]),
    status: statusOf(Number(row[3])),
    failCount: Number(row[7]),
    createdAt: created,
    updatedAt: parseTime(row[11]) ?? new Date(created),
  } as Mutable;
  const nextRunAt = parseTime(row[5]);
  if (nextRunAt !== undefined) job.nextRunAt = nextRunAt;
  // Null is a row of others, whose number of retries is its own.
  if (row[25] === null || Number(row[25]) === 1) job.maxRetries = Number(row[8]) + 1;
  if (row[6] !== null) setTime(job, 'executedAt', row[6]);
  if (row[9] !== null) job.failReason = row[9] as string;
  if (row[10] !== null) job.result = parseJson(row[10]);
  if (row[12] !== null) setTime(job, 'finishedAt', row[12]);
  if (row[13] !== null) setTime(job, 'lockedAt', row[13]);
  if (row[14] !== null) setTime(job, 'lastHeartbeat', row[14]);
  if (row[15] !== null) job.heartbeatInterval = Number(row[15]);
  if (row[16] !== null) job.claimedBy = row[16] as string;
  if (row[17] !== null) job.claimToken = row[17] as string;
  if (row[18] !== null) job.uniqueKey = row[18] as string;
  if (row[19] !== null) job.repeatInterval = row[19] as string;
  if (row[20] !== null) job.timezone = row[20] as string;
  if (row[21] !== null) job.priority = Number(row[21]);
  if (row[22] !== null) job.timeout = Number(row[22]);
  if (row[23] !== null) job.progress = parseProgress(row[23]);
  if (row[24] !== null) job.backoff = parseJson(row[24]) as NonNullable<StoredJob['backoff']>;
  if (row[26] !== null) job.recurringId = row[26] as string;
  if (row[27] !== null) job.parentJobId = row[27] as string;
  if (row[28] !== null) job.batchId = row[28] as string;
  if (row[29] !== null) job.awaitsBatchId = row[29] as string;
  if (row[30] !== null) job.continueOn = row[30] as 'failure' | 'any';
  return job;
}

function setTime(
  job: Mutable,
  field: 'executedAt' | 'finishedAt' | 'lockedAt' | 'lastHeartbeat',
  value: unknown,
) {
  const time = parseTime(value);
  if (time !== undefined) job[field] = time;
}

/** A payload or result as text. Whoever stores nothing means null: there is no undefined in JSON. */
export function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** The value that a text stands for. Other programs may have put there what is no JSON: then the text is the value. */
export function parseJson(text: unknown): unknown {
  // Some drivers read a column of JSON by themselves.
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseProgress(text: unknown): JobProgress {
  const progress = parseJson(text) as JobProgress;
  return { ...progress, at: new Date(progress.at) };
}
