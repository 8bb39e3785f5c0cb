import type { BackoffOptions } from '../job/backoff-options.js';
import type { StoredJob } from './query-types.js';

/** A job that is about to be stored; all of it has been checked. */
export interface NewJob<Id = unknown> {
  readonly name: string;
  readonly data: unknown;
  readonly status: 'pending' | 'created' | 'awaiting-continuation' | 'awaiting-batch';
  readonly nextRunAt: Date;
  readonly createdAt: Date;
  readonly uniqueKey?: string;
  readonly repeatInterval?: string;
  readonly timezone?: string;
  /** Never 0: the default is stored as an absent field. */
  readonly priority?: number;
  readonly maxRetries?: number;
  readonly backoff?: BackoffOptions;
  readonly timeout?: number;
  /** The job that it follows, in the store's own form. */
  readonly parentJobId?: Id;
  readonly batchId?: string;
  readonly awaitsBatchId?: string;
  readonly continueOn?: 'failure' | 'any';
  /** The fill that stores a member of a batch; see `BatchFill`. */
  readonly claimToken?: string;
  /** The template that made it. */
  readonly recurringId?: string;
}

/** One job to store. */
export interface Insert {
  readonly job: NewJob;
  /**
   * What to do when the unique key is taken. `keep`: answer the existing job, unchanged. `replace`: put the
   * new data, due time and options into a pending one, which starts afresh; a processing one is kept.
   */
  readonly onDuplicate: 'keep' | 'replace';
  /**
   * A text that names this job and no other: whoever stores it, and however often, it exists once. The store derives
   * its id from it and from the due time, so that ids still sort by time. A job that exists already is the answer, as
   * with a unique key. Not together with a unique key or a session.
   */
  readonly identity?: string;
}

/** What became of one {@link Insert}. */
export interface Inserted<Id = unknown> {
  readonly job: StoredJob<Id>;
  readonly outcome: 'inserted' | 'existing' | 'replaced';
}

/** How to store. */
export interface InsertOptions {
  /** The user's own transaction, in the store's own form: the jobs exist if and only if it commits. */
  readonly session?: unknown;
}
