import type { ObjectId } from 'mongodb';
import type { Job } from '../job/job.js';
import { MonqueError, type MonqueErrorOptions, nameErrors } from './monque-error.js';

/** The database cannot be used: not initialized, out of reach, or it refused. The driver's error is the `cause`. */
export class ConnectionError extends MonqueError {
  static {
    nameErrors(ConnectionError, 'ConnectionError');
  }
  override readonly code = 'MONQUE_CONNECTION';
}

/** `stop()` waited for `shutdownTimeout`, and some handlers were still running. */
export class ShutdownTimeoutError<Id = ObjectId> extends MonqueError {
  static {
    nameErrors(ShutdownTimeoutError, 'ShutdownTimeoutError');
  }
  override readonly code = 'MONQUE_SHUTDOWN_TIMEOUT';
  /** The jobs that were still running. */
  readonly incompleteJobs: Job<unknown, Id>[];

  constructor(message: string, incompleteJobs: Job<unknown, Id>[]) {
    super(message);
    this.incompleteJobs = incompleteJobs;
  }
}

/** Counting jobs took longer than the database is given for it. */
export class AggregationTimeoutError extends MonqueError {
  static {
    nameErrors(AggregationTimeoutError, 'AggregationTimeoutError');
  }
  override readonly code = 'MONQUE_AGGREGATION_TIMEOUT';

  constructor(message = 'Statistics aggregation exceeded 30 second timeout', options?: MonqueErrorOptions) {
    super(message, options);
  }
}

/** A run took longer than its `timeout`. It counts as a failed attempt. */
export class JobTimeoutError extends MonqueError {
  static {
    nameErrors(JobTimeoutError, 'JobTimeoutError');
  }
  override readonly code = 'MONQUE_JOB_TIMEOUT';
  /** The time that the run had, in milliseconds. */
  readonly timeout: number;

  constructor(message: string, timeout: number) {
    super(message);
    this.timeout = timeout;
  }
}

/** `waitForJob` gave up; the job goes on. */
export class WaitTimeoutError extends MonqueError {
  static {
    nameErrors(WaitTimeoutError, 'WaitTimeoutError');
  }
  override readonly code = 'MONQUE_WAIT_TIMEOUT';
  /** The job's id as text. */
  readonly jobId: string;

  constructor(message: string, jobId: string) {
    super(message);
    this.jobId = jobId;
  }
}

/** The server has no stream of changes, as a standalone MongoDB: polling takes its place. */
export class WatchUnsupportedError extends MonqueError {
  static {
    nameErrors(WatchUnsupportedError, 'WatchUnsupportedError');
  }
  override readonly code = 'MONQUE_WATCH_UNSUPPORTED';
}

/** Why a run was told to end. */
export type RunAbortReason = 'taken' | 'cancelled' | 'deleted' | 'shutdown';

/** The reason of a handler's `AbortSignal` when its run should end; whatever it does afterwards counts for nothing. */
export class RunAbortedError extends MonqueError {
  static {
    nameErrors(RunAbortedError, 'RunAbortedError');
  }
  override readonly code = 'MONQUE_RUN_ABORTED';
  /** `taken`: another process has the job now. `shutdown`: `stop()` ran out of time. */
  readonly reason: RunAbortReason;

  constructor(message: string, reason: RunAbortReason) {
    super(message);
    this.reason = reason;
  }
}
