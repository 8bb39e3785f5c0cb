import type { ClaimRequest, JobProgress, JobStatusType, StoredJob } from '@monque/core';
import type { Row } from '../operation.js';
import type { JobRow } from '../schema/columns.js';
import { statusOf } from './job-states.js';
import { parseTime } from './times.js';
import type { TypeNames } from './type-names.js';

/** What every job has, and what may be large. */
export const BASIC_COLUMNS = [
  'Id',
  'TypeName',
  'Arguments',
  'CreatedAt',
  'ScheduledAt',
  'RetryCount',
  'MaxRetryCount',
  'OwnRetries',
  'ErrorMessage',
  'Result',
  'Progress',
] as const satisfies readonly (keyof JobRow)[];

/** What a claim writes. */
const CLAIM_COLUMNS = [
  'State',
  'UpdatedAt',
  'LockedAt',
  'LastHeartbeat',
  'HeartbeatInterval',
  'ClaimedBy',
  'ClaimToken',
] as const satisfies readonly (keyof JobRow)[];

/** What most jobs lack, and what is small where they have it. */
export const RARE_COLUMNS = [
  'ExecutedAt',
  'FinishedAt',
  'UniqueKey',
  'RepeatInterval',
  'Timezone',
  'Priority',
  'Timeout',
  'Backoff',
  'RecurringJobId',
  'ParentJobId',
  'BatchId',
  'AwaitsBatchId',
  'ContinueOn',
] as const satisfies readonly (keyof JobRow)[];

/** The columns of a job in the order in which every query but a claim asks for them. */
export const JOB_COLUMNS = [...BASIC_COLUMNS, ...CLAIM_COLUMNS, ...RARE_COLUMNS] as const;

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

/** A job while it is put together. */
export type Mutable = { -readonly [Field in keyof StoredJob<string>]: StoredJob<string>[Field] };

const CLAIM_START = BASIC_COLUMNS.length;
const RARE_START = CLAIM_START + CLAIM_COLUMNS.length;

/** A job from a row in the order of {@link JOB_COLUMNS}. What is null there is absent here. */
export function toJob(row: Row, names: TypeNames): StoredJob<string> {
  const [state, updatedAt, lockedAt, lastHeartbeat, interval, claimedBy, token] = row.slice(CLAIM_START);
  const job = basicJob(row, names, statusOf(Number(state)), parseTime(updatedAt));
  if (lockedAt !== null) setTime(job, 'lockedAt', lockedAt);
  if (lastHeartbeat !== null) setTime(job, 'lastHeartbeat', lastHeartbeat);
  if (interval !== null) job.heartbeatInterval = Number(interval);
  if (claimedBy !== null) job.claimedBy = claimedBy as string;
  if (token !== null) job.claimToken = token as string;
  addRare(job, row.slice(RARE_START));
  return job;
}

/** A job from a row that begins with {@link BASIC_COLUMNS}. */
function basicJob(row: Row, names: TypeNames, status: JobStatusType, updatedAt?: Date): Mutable {
  const createdAt = timeOfCreation(row);
  const job = {
    _id: row[0] as string,
    name: names.nameOf(row[1] as string),
    data: parseJson(row[2]),
    status,
    failCount: Number(row[5]),
    createdAt,
    updatedAt: updatedAt ?? new Date(createdAt),
  } as Mutable;
  setTime(job, 'nextRunAt', row[4]);
  addOptional(job, row);
  return job;
}

/**
 * The same for a claimed job, with what the claim wrote. All that every such job has stands in one literal: an object
 * that grows field by field is moved again and again.
 */
export function claimedBasicJob(row: Row, names: TypeNames, request: ClaimRequest): Mutable {
  const { owner, token, heartbeatInterval } = request;
  // Each field of each job gets a date of its own: handlers may change theirs.
  const now = request.now.getTime();
  const job: Mutable = {
    _id: row[0] as string,
    name: names.nameOf(row[1] as string),
    data: parseJson(row[2]),
    status: 'processing',
    nextRunAt: parseTime(row[4]) ?? new Date(now),
    failCount: Number(row[5]),
    createdAt: timeOfCreation(row),
    updatedAt: new Date(now),
    lockedAt: new Date(now),
    lastHeartbeat: new Date(now),
    heartbeatInterval,
    claimedBy: owner,
    claimToken: token,
  };
  addOptional(job, row);
  return job;
}

function timeOfCreation(row: Row): Date {
  return parseTime(row[3]) ?? new Date(0);
}

/** Adds what only some rows have of {@link BASIC_COLUMNS}. */
function addOptional(job: Mutable, row: Row): void {
  // Null is a row of others, whose number of retries is its own.
  if (row[7] === null || Number(row[7]) === 1) job.maxRetries = Number(row[6]) + 1;
  if (row[8] !== null) job.failReason = row[8] as string;
  if (row[9] !== null) job.result = parseJson(row[9]);
  if (row[10] !== null) job.progress = parseProgress(row[10]);
}

/** Adds the fields of {@link RARE_COLUMNS}, given their values. */
export function addRare(job: Mutable, values: Row): void {
  if (values[0] !== null) setTime(job, 'executedAt', values[0]);
  if (values[1] !== null) setTime(job, 'finishedAt', values[1]);
  if (values[2] !== null) job.uniqueKey = values[2] as string;
  if (values[3] !== null) job.repeatInterval = values[3] as string;
  if (values[4] !== null) job.timezone = values[4] as string;
  if (values[5] !== null) job.priority = Number(values[5]);
  if (values[6] !== null) job.timeout = Number(values[6]);
  if (values[7] !== null) job.backoff = parseJson(values[7]) as NonNullable<StoredJob['backoff']>;
  if (values[8] !== null) job.recurringId = values[8] as string;
  if (values[9] !== null) job.parentJobId = values[9] as string;
  if (values[10] !== null) job.batchId = values[10] as string;
  if (values[11] !== null) job.awaitsBatchId = values[11] as string;
  if (values[12] !== null) job.continueOn = values[12] as 'failure' | 'any';
}

function setTime(
  job: Mutable,
  field: 'nextRunAt' | 'executedAt' | 'finishedAt' | 'lockedAt' | 'lastHeartbeat',
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
