import { MonqueError, type MonqueErrorOptions, nameErrors } from './monque-error.js';

/** A cron expression that cannot be read, or that never fires. Nothing was stored. */
export class InvalidCronError extends MonqueError {
  static {
    nameErrors(InvalidCronError, 'InvalidCronError');
  }
  override readonly code = 'MONQUE_INVALID_CRON';
  /** The expression as it was given. */
  readonly expression: string;

  constructor(expression: string, message: string, options?: MonqueErrorOptions) {
    super(message, options);
    this.expression = expression;
  }
}

/** A job name or a unique key that cannot be used. Nothing was stored. */
export class InvalidJobIdentifierError extends MonqueError {
  static {
    nameErrors(InvalidJobIdentifierError, 'InvalidJobIdentifierError');
  }
  override readonly code = 'MONQUE_INVALID_JOB_IDENTIFIER';
  /** Which identifier was refused. */
  readonly field: 'name' | 'uniqueKey';
  /** The identifier as it was given; a description where it was no text. */
  readonly value: string;

  constructor(field: 'name' | 'uniqueKey', value: string, message: string) {
    super(message);
    this.field = field;
    this.value = value;
  }
}

/** An option with a value that cannot be used, or that does not exist. */
export class InvalidOptionError extends MonqueError {
  static {
    nameErrors(InvalidOptionError, 'InvalidOptionError');
  }
  override readonly code = 'MONQUE_INVALID_OPTION';
  /** Name of the option, with its path where it is nested: `backoff.delay`. */
  readonly option: string;

  constructor(option: string, message: string, options?: MonqueErrorOptions) {
    super(message, options);
    this.option = option;
  }
}

/** A page cursor that is damaged, or that belongs to another sort order. Start again from the first page. */
export class InvalidCursorError extends MonqueError {
  static {
    nameErrors(InvalidCursorError, 'InvalidCursorError');
  }
  override readonly code = 'MONQUE_INVALID_CURSOR';
}

/** A selector or filter with an unknown key or a value of the wrong type. Nothing was read or changed. */
export class InvalidSelectorError extends MonqueError {
  static {
    nameErrors(InvalidSelectorError, 'InvalidSelectorError');
  }
  override readonly code = 'MONQUE_INVALID_SELECTOR';
}

/** One thing that is wrong with a payload. */
export interface PayloadIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where: `data.items[3].price`. */
  readonly path?: string;
}

/** A payload or a result that cannot be stored, or that its schema refuses. */
export class InvalidPayloadError extends MonqueError {
  static {
    nameErrors(InvalidPayloadError, 'InvalidPayloadError');
  }
  override readonly code = 'MONQUE_INVALID_PAYLOAD';
  /** Everything that is wrong with it. */
  readonly issues: readonly PayloadIssue[];

  constructor(message: string, issues: readonly PayloadIssue[], options?: MonqueErrorOptions) {
    super(message, options);
    this.issues = issues;
  }
}

/** A payload or a result that is larger than the store, or `maxPayloadSize`, allows. Nothing was stored. */
export class PayloadTooLargeError extends MonqueError {
  static {
    nameErrors(PayloadTooLargeError, 'PayloadTooLargeError');
  }
  override readonly code = 'MONQUE_PAYLOAD_TOO_LARGE';
  /** Its size in bytes. */
  readonly actualSize: number;
  /** The largest size allowed, in bytes. */
  readonly maxSize: number;

  constructor(message: string, actualSize: number, maxSize: number) {
    super(message);
    this.actualSize = actualSize;
    this.maxSize = maxSize;
  }
}

/** A worker that cannot be registered, usually because its name is taken. */
export class WorkerRegistrationError extends MonqueError {
  static {
    nameErrors(WorkerRegistrationError, 'WorkerRegistrationError');
  }
  override readonly code = 'MONQUE_WORKER_REGISTRATION';
  /** Name of the jobs that the worker was to handle. */
  readonly jobName: string;

  constructor(message: string, jobName: string) {
    super(message);
    this.jobName = jobName;
  }
}
