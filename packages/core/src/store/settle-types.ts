import type { StoredJob } from './query-types.js';

/** What a run came to, as it is to be stored. */
export type Outcome =
  /** Success. `result` is absent where the handler returned nothing. */
  | { readonly type: 'completed'; readonly result?: unknown }
  /** Success of a recurring job: the same document waits for its next occurrence. */
  | { readonly type: 'repeat'; readonly nextRunAt: Date; readonly result?: unknown }
  /** A failure that will be tried again. */
  | { readonly type: 'retry'; readonly nextRunAt: Date; readonly failCount: number; readonly reason: string }
  /**
   * A failure for good. With `nextRunAt` the job is recurring: a failed copy is kept for inspection, and the
   * series waits for its next occurrence with a fail count of 0.
   */
  | {
      readonly type: 'failed';
      readonly failCount: number;
      readonly reason: string;
      readonly nextRunAt?: Date;
    }
  /** Stopped by its own handler. */
  | { readonly type: 'cancelled'; readonly reason?: string }
  /** Neither success nor failure: try again later, the fail count stays. */
  | { readonly type: 'snoozed'; readonly nextRunAt: Date };

/** The outcome of one run. */
export interface Settlement<Id = unknown> {
  /** The job as it was claimed; its id and `claimToken` fence the write. */
  readonly job: StoredJob<Id>;
  readonly token: string;
  /** When the handler was called. Stored as `executedAt`, to within a few milliseconds. */
  readonly startedAt: Date;
  readonly outcome: Outcome;
}

/** Outcomes to be written together. */
export interface SettleBatch<Id = unknown> {
  /**
   * Stored as `updatedAt` and, for final outcomes, as `finishedAt`. The same when a batch is settled again:
   * together with the status it tells that an earlier try took effect.
   */
  readonly at: Date;
  readonly items: readonly Settlement<Id>[];
}

/** What became of one settlement, in the order of the batch. */
export interface Settled<Id = unknown> {
  /** Whether the claim still held, so that the outcome is now stored. */
  readonly applied: boolean;
  /**
   * The job as it is now stored; for a failed recurring job, the failed copy. The job as it was claimed
   * where the outcome was not applied.
   */
  readonly job: StoredJob<Id>;
}
