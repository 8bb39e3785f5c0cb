import { MonqueError, nameErrors } from './monque-error.js';

/** The job that another was to follow does not exist, or was deleted meanwhile. Nothing was stored. */
export class ParentNotFoundError extends MonqueError {
  static {
    nameErrors(ParentNotFoundError, 'ParentNotFoundError');
  }
  override readonly code = 'MONQUE_PARENT_NOT_FOUND';
  /** The id as text. */
  readonly parentId: string;

  constructor(message: string, parentId: string) {
    super(message);
    this.parentId = parentId;
  }
}

/** There is no batch with this id. Nothing was stored. */
export class BatchNotFoundError extends MonqueError {
  static {
    nameErrors(BatchNotFoundError, 'BatchNotFoundError');
  }
  override readonly code = 'MONQUE_BATCH_NOT_FOUND';
  /** The id as it was given. */
  readonly batchId: string;

  constructor(message: string, batchId: string) {
    super(message);
    this.batchId = batchId;
  }
}

/** A batch that is complete takes no further jobs: what follows it may have run already. Nothing was stored. */
export class BatchFinishedError extends MonqueError {
  static {
    nameErrors(BatchFinishedError, 'BatchFinishedError');
  }
  override readonly code = 'MONQUE_BATCH_FINISHED';
  /** Id of the batch. */
  readonly batchId: string;

  constructor(message: string, batchId: string) {
    super(message);
    this.batchId = batchId;
  }
}

/** A batch with this id exists already. Nothing was stored. */
export class DuplicateBatchError extends MonqueError {
  static {
    nameErrors(DuplicateBatchError, 'DuplicateBatchError');
  }
  override readonly code = 'MONQUE_DUPLICATE_BATCH';
  /** The id that is taken. */
  readonly batchId: string;

  constructor(message: string, batchId: string) {
    super(message);
    this.batchId = batchId;
  }
}
