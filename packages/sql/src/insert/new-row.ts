import type { Insert, NewJob, StoredJob } from '@monque/core';
import type { SqlContext } from '../context.js';
import { idOfIdentity, newJobId } from '../rows/job-ids.js';
import { parseJson, retryColumns, toJson } from '../rows/job-row.js';
import { keyHash } from '../rows/key-hash.js';
import { type JobRow, JobState } from '../schema/columns.js';

/** The columns of a new job, in the order of {@link NewRow.values}. */
export const NEW_COLUMNS = [
  'Id',
  'TypeName',
  'Arguments',
  'State',
  'CreatedAt',
  'ScheduledAt',
  'RetryCount',
  'MaxRetryCount',
  'UpdatedAt',
  'OwnRetries',
  'UniqueKey',
  'KeyHash',
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
  'ClaimToken',
] as const satisfies readonly (keyof JobRow)[];

/** How many of the columns every job fills; the others are for those that bring options. */
export const PLAIN_COLUMNS = NEW_COLUMNS.indexOf('UniqueKey');

/** The states of new jobs. */
const STATES: Readonly<Record<NewJob['status'], number>> = {
  pending: JobState.scheduled,
  created: JobState.created,
  'awaiting-continuation': JobState.awaitingContinuation,
  'awaiting-batch': JobState.awaitingBatch,
};

/** A job that is about to be stored. */
export interface NewRow {
  readonly id: string;
  readonly job: NewJob;
  readonly keyHash: string | undefined;
  /** Whether another process may store the very same job. */
  readonly hasIdentity: boolean;
  readonly isPlain: boolean;
  readonly values: readonly (string | number | null)[];
}

/**
 * The ids of requests. One that is sent again after an error keeps its id, so that a job that the first try stored
 * shows as a duplicate of itself, and not as a second job.
 */
const idsOfRequests = new WeakMap<Insert, string>();

/** Fields of a job that the columns behind {@link PLAIN_COLUMNS} are for. */
const OPTIONS = [
  'uniqueKey',
  'repeatInterval',
  'timezone',
  'priority',
  'timeout',
  'backoff',
  'recurringId',
  'parentJobId',
  'batchId',
  'awaitsBatchId',
  'continueOn',
  'claimToken',
] as const satisfies readonly (keyof NewJob)[];

const NO_OPTIONS: readonly null[] = NEW_COLUMNS.slice(PLAIN_COLUMNS).map(() => null);

/** The row of a new job. */
export function newRow({ dialect, names }: SqlContext, insert: Insert): NewRow {
  const { job, identity } = insert;
  const hasIdentity = identity !== undefined;
  let id = hasIdentity ? idOfIdentity(identity, job.nextRunAt) : idsOfRequests.get(insert);
  if (id === undefined) {
    id = newJobId(job.createdAt);
    idsOfRequests.set(insert, id);
  }
  const isPlain = OPTIONS.every((option) => job[option] === undefined);
  const keyed = job.uniqueKey === undefined ? undefined : keyHash(job.name, job.uniqueKey);
  const createdAt = dialect.toTime(job.createdAt);
  const { MaxRetryCount, OwnRetries } = retryColumns(job.maxRetries);
  const values: (string | number | null)[] = [
    id,
    names.textOf(job.name),
    toJson(job.data),
    STATES[job.status],
    createdAt,
    dialect.toTime(job.nextRunAt),
    0,
    MaxRetryCount,
    createdAt,
    OwnRetries,
  ];
  values.push(...(isPlain ? NO_OPTIONS : optionsOf(job, keyed)));
  return { id, job, keyHash: keyed, hasIdentity, isPlain, values };
}

function optionsOf(job: NewJob, hash: string | undefined): (string | number | null)[] {
  return [
    job.uniqueKey ?? null,
    hash ?? null,
    job.repeatInterval ?? null,
    job.timezone ?? null,
    job.priority ?? null,
    job.timeout ?? null,
    job.backoff === undefined ? null : toJson(job.backoff),
    job.recurringId ?? null,
    (job.parentJobId as string | undefined) ?? null,
    job.batchId ?? null,
    job.awaitsBatchId ?? null,
    job.continueOn ?? null,
    job.claimToken ?? null,
  ];
}

/** A new job as it is stored, without another read; it shares nothing with what the caller gave. */
export function storedJob({ id, job, isPlain, values }: NewRow): StoredJob<string> {
  const stored: StoredJob<string> = {
    _id: id,
    name: job.name,
    data: typeof job.data === 'object' ? parseJson(values[2]) : job.data,
    status: job.status,
    nextRunAt: new Date(job.nextRunAt),
    failCount: 0,
    createdAt: new Date(job.createdAt),
    updatedAt: new Date(job.createdAt),
  };
  if (job.maxRetries !== undefined) stored.maxRetries = Math.max(1, job.maxRetries);
  if (isPlain) return stored;
  const { uniqueKey, repeatInterval, timezone, priority, timeout, backoff, recurringId } = job;
  const { parentJobId, batchId, awaitsBatchId, continueOn, claimToken } = job;
  return Object.assign(
    stored,
    uniqueKey !== undefined && { uniqueKey },
    repeatInterval !== undefined && { repeatInterval },
    timezone !== undefined && { timezone },
    priority !== undefined && { priority },
    timeout !== undefined && { timeout },
    backoff !== undefined && { backoff: { ...backoff } },
    recurringId !== undefined && { recurringId },
    parentJobId !== undefined && { parentJobId: parentJobId as string },
    batchId !== undefined && { batchId },
    awaitsBatchId !== undefined && { awaitsBatchId },
    continueOn !== undefined && { continueOn },
    claimToken !== undefined && { claimToken },
  );
}
