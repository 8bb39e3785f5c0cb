import { MonqueError, nameErrors } from './monque-error.js';

/** What people do to a job that its status may forbid. */
export type JobAction = 'cancel' | 'retry' | 'reschedule' | 'release';

/** A job whose status does not allow what was asked for. It was not changed. */
export class JobStateError extends MonqueError {
  static {
    nameErrors(JobStateError, 'JobStateError');
  }
  override readonly code = 'MONQUE_JOB_STATE';
  /** The job's id as text. */
  readonly jobId: string;
  /** The status that it has. */
  readonly currentStatus: string;
  /** What was asked for. */
  readonly attemptedAction: JobAction;

  constructor(message: string, jobId: string, currentStatus: string, attemptedAction: JobAction) {
    super(message);
    this.jobId = jobId;
    this.currentStatus = currentStatus;
    this.attemptedAction = attemptedAction;
  }
}

/** The unique key is taken, and `onDuplicate: 'reject'` asked for an error in that case. */
export class DuplicateJobError extends MonqueError {
  static {
    nameErrors(DuplicateJobError, 'DuplicateJobError');
  }
  override readonly code = 'MONQUE_DUPLICATE_JOB';
  /** Id, as text, of the job that holds the key. */
  readonly existingId: string;

  constructor(message: string, existingId: string) {
    super(message);
    this.existingId = existingId;
  }
}
