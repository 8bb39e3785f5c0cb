import type { BatchRow, JobLogRow, JobRow, MigrationRow, RecurringJobRow, Tables } from './columns.js';

/**
 * What a column holds. `text` with a length is short, without one it is as long as the database allows. `duration` is a
 * number of milliseconds, `json` is text that machines read, `counter` counts up by itself.
 */
export type ColumnKind = 'text' | 'json' | 'integer' | 'duration' | 'time' | 'flag' | 'counter';

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** In characters. */
  readonly length?: number;
}

/** A table; its key is one column. */
export interface Table {
  readonly name: keyof Tables;
  readonly columns: readonly Column[];
  readonly primaryKey: string;
  /** Rows go with the row that they refer to by its `Id`. */
  readonly parent?: { readonly column: string; readonly table: keyof Tables };
}

type Shape = Pick<Column, 'kind' | 'length'>;

const text = (length?: number): Shape => ({ kind: 'text', ...(length !== undefined && { length }) });
const json: Shape = { kind: 'json' };
const integer: Shape = { kind: 'integer' };
const duration: Shape = { kind: 'duration' };
const time: Shape = { kind: 'time' };
const flag: Shape = { kind: 'flag' };
const counter: Shape = { kind: 'counter' };

/** A GUID in its text form. */
const guid = text(36);

/** `Jobs` as JobSharp makes it. */
export const JOBS: Table = {
  name: 'Jobs',
  primaryKey: 'Id',
  columns: [
    required<JobRow>('Id', guid),
    required<JobRow>('TypeName', text(500)),
    optional<JobRow>('Arguments', json),
    required<JobRow>('State', integer),
    required<JobRow>('CreatedAt', time),
    optional<JobRow>('ScheduledAt', time),
    optional<JobRow>('ExecutedAt', time),
    required<JobRow>('RetryCount', integer),
    required<JobRow>('MaxRetryCount', integer),
    optional<JobRow>('ErrorMessage', text()),
    optional<JobRow>('Result', json),
    optional<JobRow>('BatchId', guid),
    optional<JobRow>('ParentJobId', guid),
  ],
  parent: { column: 'ParentJobId', table: 'Jobs' },
};

/** `RecurringJobs` as JobSharp makes it. */
export const RECURRING_JOBS: Table = {
  name: 'RecurringJobs',
  primaryKey: 'Id',
  columns: [
    required<RecurringJobRow>('Id', text(200)),
    required<RecurringJobRow>('CronExpression', text(100)),
    required<RecurringJobRow>('JobTypeName', text(500)),
    optional<RecurringJobRow>('JobArguments', json),
    required<RecurringJobRow>('MaxRetryCount', integer),
    optional<RecurringJobRow>('NextExecution', time),
    optional<RecurringJobRow>('LastExecution', time),
    required<RecurringJobRow>('IsEnabled', flag),
    required<RecurringJobRow>('CreatedAt', time),
  ],
};

/** What Monque adds to `Jobs`: nothing that a statement of others would have to name. */
export const ADDED_JOB_COLUMNS: readonly Column[] = [
  optional<JobRow>('AwaitsBatchId', guid),
  optional<JobRow>('UpdatedAt', time),
  optional<JobRow>('FinishedAt', time),
  optional<JobRow>('LockedAt', time),
  optional<JobRow>('LastHeartbeat', time),
  optional<JobRow>('HeartbeatInterval', duration),
  optional<JobRow>('ClaimedBy', text(255)),
  optional<JobRow>('ClaimToken', text(64)),
  optional<JobRow>('UniqueKey', text(1_024)),
  optional<JobRow>('RepeatInterval', text(1_024)),
  optional<JobRow>('Timezone', text(100)),
  optional<JobRow>('Priority', integer),
  optional<JobRow>('Timeout', duration),
  optional<JobRow>('Progress', json),
  optional<JobRow>('Backoff', json),
  optional<JobRow>('OwnRetries', integer),
  optional<JobRow>('KeyHash', text(64)),
];

/** What Monque adds to `Jobs` for workflows. */
export const WORKFLOW_JOB_COLUMNS: readonly Column[] = [
  optional<JobRow>('RecurringJobId', text(200)),
  optional<JobRow>('ContinueOn', text(10)),
];

/** The batches. */
export const JOB_BATCHES: Table = {
  name: 'JobBatches',
  primaryKey: 'Id',
  columns: [
    required<BatchRow>('Id', guid),
    optional<BatchRow>('Name', text(255)),
    required<BatchRow>('CreatedAt', time),
    required<BatchRow>('UpdatedAt', time),
    optional<BatchRow>('StartedAt', time),
    optional<BatchRow>('FinishedAt', time),
    optional<BatchRow>('Outcome', text(10)),
    required<BatchRow>('Version', integer),
    required<BatchRow>('Fills', json),
  ],
};

/** What Monque adds to `RecurringJobs`. */
export const ADDED_RECURRING_COLUMNS: readonly Column[] = [
  optional<RecurringJobRow>('Timezone', text(100)),
  optional<RecurringJobRow>('Misfire', text(10)),
  optional<RecurringJobRow>('UpdatedAt', time),
  optional<RecurringJobRow>('OwnRetries', integer),
  optional<RecurringJobRow>('LastJobId', guid),
  optional<RecurringJobRow>('PlannedCron', text(100)),
  optional<RecurringJobRow>('PlannedTimezone', text(100)),
];

/** The logs of jobs. */
export const JOB_LOGS: Table = {
  name: 'JobLogs',
  primaryKey: 'Id',
  columns: [
    required<JobLogRow>('Id', counter),
    required<JobLogRow>('JobId', guid),
    required<JobLogRow>('At', time),
    required<JobLogRow>('Attempt', integer),
    required<JobLogRow>('Level', text(16)),
    required<JobLogRow>('Text', text()),
    optional<JobLogRow>('Stack', text()),
  ],
  parent: { column: 'JobId', table: 'Jobs' },
};

/** The migrations that were applied. */
export const MIGRATIONS_TABLE: Table = {
  name: 'MonqueMigrations',
  primaryKey: 'Version',
  columns: [
    required<MigrationRow>('Version', integer),
    required<MigrationRow>('Name', text(100)),
    required<MigrationRow>('AppliedAt', time),
  ],
};

function required<Row>(name: keyof Row & string, shape: Shape): Column {
  return { name, nullable: false, ...shape };
}

function optional<Row>(name: keyof Row & string, shape: Shape): Column {
  return { name, nullable: true, ...shape };
}
