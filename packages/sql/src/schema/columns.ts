/**
 * What a row holds, column by column. The first columns of `Jobs` and `RecurringJobs` are JobSharp's, to the letter;
 * what Monque adds is nullable, so that a statement which knows only JobSharp's columns still makes a row.
 *
 * @typeParam Time - How the driver gives a time: a text on SQLite, a `Date` elsewhere.
 */
export interface JobRow<Time = unknown> {
  /** A GUID, version 7 where Monque made it, so that ids sort by time. */
  Id: string;
  /** The job's name, or the .NET type name that JobSharp wrote. */
  TypeName: string;
  /** The payload as JSON. */
  Arguments: string | null;
  /** 0 to 8, see {@link JobState}. */
  State: number;
  CreatedAt: Time;
  /** When it is due; null in a row of others means at once. */
  ScheduledAt: Time | null;
  /** When its last run began. */
  ExecutedAt: Time | null;
  /** Failed attempts. */
  RetryCount: number;
  /** Allowed attempts less one: the column counts retries. */
  MaxRetryCount: number;
  ErrorMessage: string | null;
  /** What its handler returned, as JSON. */
  Result: string | null;
  BatchId: string | null;
  ParentJobId: string | null;

  /** The batch that a continuation waits for. */
  AwaitsBatchId: string | null;
  UpdatedAt: Time | null;
  FinishedAt: Time | null;
  LockedAt: Time | null;
  LastHeartbeat: Time | null;
  /** Milliseconds. */
  HeartbeatInterval: number | null;
  ClaimedBy: string | null;
  ClaimToken: string | null;
  UniqueKey: string | null;
  /** A cron expression. */
  RepeatInterval: string | null;
  Timezone: string | null;
  /** Higher runs first; null is 0. */
  Priority: number | null;
  /** Milliseconds. */
  Timeout: number | null;
  /** JSON. */
  Progress: string | null;
  /** JSON. */
  Backoff: string | null;
  /** 1: `MaxRetryCount` is the job's own. 0: it follows the instance's default. Null: a row of others, its own. */
  OwnRetries: number | null;
  /** SHA-256 of name and unique key in hexadecimal digits, for the unique index: neither fits into one as it is. */
  KeyHash: string | null;
  /** The recurring template that made it. */
  RecurringJobId: string | null;
  /** `failure` or `any`: after which end of its parent or batch it runs; null is success. */
  ContinueOn: string | null;
}

/** A batch; its members are the jobs that bear its id. */
export interface BatchRow<Time = unknown> {
  Id: string;
  Name: string | null;
  CreatedAt: Time;
  UpdatedAt: Time;
  /** When a process first took one of its members. */
  StartedAt: Time | null;
  /** When it was complete; null while it is open. */
  FinishedAt: Time | null;
  /** How it ended: `completed`, `failed` or `cancelled`. */
  Outcome: string | null;
  /** Counts writes: one that was made from an older version is refused. */
  Version: number;
  /** Members on their way into it, as JSON. */
  Fills: string;
}

/** A recurring template of JobSharp. */
export interface RecurringJobRow<Time = unknown, Flag = unknown> {
  Id: string;
  CronExpression: string;
  JobTypeName: string;
  /** JSON. */
  JobArguments: string | null;
  MaxRetryCount: number;
  NextExecution: Time | null;
  LastExecution: Time | null;
  IsEnabled: Flag;
  CreatedAt: Time;

  /** Zone of `CronExpression`; null is UTC. */
  Timezone: string | null;
  /** `skip`, `once` or `all`; null is `once`. */
  Misfire: string | null;
  UpdatedAt: Time | null;
  /** As in `Jobs`. */
  OwnRetries: number | null;
  /** The latest job that it made. */
  LastJobId: string | null;
  /** What `NextExecution` was computed from: where it is not what stands there now, somebody changed it by hand. */
  PlannedCron: string | null;
  PlannedTimezone: string | null;
}

/** A line of a job's log. */
export interface JobLogRow<Time = unknown> {
  /** Counts up; the order of the lines. */
  Id: number;
  JobId: string;
  At: Time;
  Attempt: number;
  Level: string;
  Text: string;
  Stack: string | null;
}

/** A migration that was applied. */
export interface MigrationRow<Time = unknown> {
  Version: number;
  Name: string;
  AppliedAt: Time;
}

/** The tables by their names, in the form that Kysely takes. */
export interface Tables<Time = unknown, Flag = unknown> {
  Jobs: JobRow<Time>;
  RecurringJobs: RecurringJobRow<Time, Flag>;
  JobBatches: BatchRow<Time>;
  JobLogs: JobLogRow<Time>;
  MonqueMigrations: MigrationRow<Time>;
}

/** What `State` of a job means. */
export const JobState = {
  created: 0,
  scheduled: 1,
  processing: 2,
  succeeded: 3,
  /** Failed, and waits for its retry. */
  failed: 4,
  cancelled: 5,
  abandoned: 6,
  awaitingContinuation: 7,
  awaitingBatch: 8,
} as const;
