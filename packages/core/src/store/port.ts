import type { BatchStore } from './batch-types.js';
import type { Change, Changed } from './change-types.js';
import type { ClaimRequest, ClaimResult, HeldClaim, LostClaim, RecoverRequest } from './claim-types.js';
import type { Insert, Inserted, InsertOptions } from './insert-types.js';
import type { JobLogEntry, NewLogEntry } from './log-types.js';
import type {
  JobFilter,
  JobPageRequest,
  StatusCounts,
  StatusCountsByName,
  StoredJob,
} from './query-types.js';
import type { RecurringStore } from './recurring-types.js';
import type { SettleBatch, Settled } from './settle-types.js';
import type { PayloadRules, StoreOptions } from './store-options.js';
import type { Subscription, WatchObserver } from './watch-types.js';

/**
 * Where jobs live. The engine knows nothing else about a database.
 *
 * Everything is a batch: a single job is a batch of one. Every method may be called by any number of
 * processes at once. A failure of the database rejects with the driver's own error; the callers decide
 * what it means. Times that a caller passes are the store's time as the engine knows it, never the host's.
 *
 * @typeParam Id - The store's own kind of id.
 */
export interface JobStore<Id = unknown> {
  /** What kind of database this is, for messages: `mongodb`, `memory`, `sqlite`. */
  readonly kind: string;

  /** What a payload may hold and how large it may be. */
  readonly payload: PayloadRules;

  /** The recurring templates. */
  readonly recurring: RecurringStore<Id>;

  /** The records of batches. */
  readonly batches: BatchStore;

  /** Prepares indexes or schema. Idempotent, and safe to call from many processes at once. */
  open(options: StoreOptions): Promise<void>;

  /** Ends what the store itself opened; a connection that the user handed in stays open. */
  close(): Promise<void>;

  /** The store's own clock; every "now" in the engine derives from it. */
  now(): Promise<Date>;

  /** The store's form of an id that a caller gave, or undefined where it cannot be one. Never throws. */
  parseId(value: unknown): Id | undefined;

  /**
   * Stores jobs; answers in the order of the request. A unique key that is taken yields the existing job,
   * never an error, under any concurrency. Two requests of one batch may carry the same key. The same request
   * objects may be sent again after an error: what was stored the first time is not stored twice.
   */
  insert(inserts: readonly Insert[], options?: InsertOptions): Promise<Inserted<Id>[]>;

  /**
   * Takes due jobs for one owner: pending, due at `now`, of the wanted names, at most `limit` per name and
   * `total` in all; higher priority first, then the earliest due. No job is given to two owners.
   * A name with many due jobs does not keep another name's from being found.
   */
  claim(request: ClaimRequest): Promise<ClaimResult<Id>>;

  /** When the next job of these names becomes due: the earliest `nextRunAt` of a pending one later than `after`. */
  nextDueAt(names: readonly string[], after: Date): Promise<Date | undefined>;

  /**
   * Writes outcomes of runs. An outcome whose claim no longer holds changes nothing and is reported as not
   * applied. Settling the same batch again after an error whose effect is unknown is safe: what took
   * effect the first time is recognised and reported as applied.
   */
  settle(batch: SettleBatch<Id>): Promise<Settled<Id>[]>;

  /**
   * Whether an error of `settle` says that this store will never take what it was given, because it is too large or
   * of the wrong form. False for everything that may pass, such as an outage. Never throws.
   */
  isRefusal(error: unknown): boolean;

  /** Gives unstarted claims back, untouched but for `updatedAt`. Claims that no longer hold are passed over. */
  release(claims: readonly HeldClaim<Id>[], now: Date): Promise<void>;

  /** Renews claims by the server's clock (`lockedAt` and `lastHeartbeat`), and tells which no longer hold. */
  renew(owner: string, claims: readonly HeldClaim<Id>[]): Promise<LostClaim<Id>[]>;

  /** Tells which claims no longer hold, and writes nothing. */
  verify(owner: string, claims: readonly HeldClaim<Id>[]): Promise<LostClaim<Id>[]>;

  /**
   * Gives back what dead owners held, by the server's clock: processing, and silent for longer than the
   * timeout. Answers how many.
   */
  recover(request: RecoverRequest): Promise<number>;

  /** A job that this owner holds and has renewed since, if any: then another live process uses its name. */
  findLiveClaim(owner: string, since: Date): Promise<StoredJob<Id> | undefined>;

  /** Reads jobs by id, in no particular order; those that do not exist are left out. */
  get(ids: readonly Id[]): Promise<StoredJob<Id>[]>;

  /** Reads a page of jobs in a total order (the key, then the id). */
  page(request: JobPageRequest<Id>): Promise<StoredJob<Id>[]>;

  /** Counts by status, exactly, and the mean run time of the latest completed jobs. */
  counts(name?: string): Promise<StatusCounts>;

  /** The same for every stored name. */
  countsByName(): Promise<StatusCountsByName>;

  /**
   * Applies a change to those of the given jobs whose status allows it; answers the changed ones only.
   * A change that would break a unique key is not applied.
   */
  change(ids: readonly Id[], change: Change, now: Date): Promise<Changed<Id>[]>;

  /** Applies a change to up to `limit` jobs that match and whose status allows it; answers how many. */
  changeWhere(filter: JobFilter, change: Change, now: Date, limit: number): Promise<number>;

  /**
   * Removes jobs in whatever status, with their logs, and those that wait for them as their parents, to any depth;
   * answers how many in all. What followed them and does not wait any more stays, without its `parentJobId`.
   */
  remove(ids: readonly Id[]): Promise<number>;

  /** The same for up to `limit` jobs that match, and those that wait for them. */
  removeWhere(filter: JobFilter, limit: number): Promise<number>;

  /** Stores how far a run has come, if its claim still holds; answers whether it did. */
  saveProgress(
    claim: HeldClaim<Id>,
    progress: { value: number; message?: string; at: Date },
  ): Promise<boolean>;

  /** Adds log entries; keeps the latest 1,000 of a job. */
  appendLogs(entries: readonly NewLogEntry<Id>[]): Promise<void>;

  /** The log of a job, oldest first. */
  logs(id: Id): Promise<JobLogEntry[]>;

  /**
   * Subscribes to changes made by any process. Resolves once changes from now on are seen; rejects with
   * `WatchUnsupportedError` where the server cannot, and with another error where it may work later.
   * After `observer.lost` nothing more comes: the caller subscribes again.
   */
  watch(observer: WatchObserver<Id>): Promise<Subscription>;
}
