import type { Db, ObjectId } from 'mongodb';
import { ConnectionError } from '../errors/operation-errors.js';
import type { JobProgress } from '../job/job.js';
import type { Change, Changed } from '../store/change-types.js';
import type {
  ClaimRequest,
  ClaimResult,
  HeldClaim,
  LostClaim,
  RecoverRequest,
} from '../store/claim-types.js';
import type { Insert, Inserted, InsertOptions } from '../store/insert-types.js';
import type { JobLogEntry, NewLogEntry } from '../store/log-types.js';
import type { JobStore } from '../store/port.js';
import type {
  JobFilter,
  JobPageRequest,
  StatusCounts,
  StatusCountsByName,
  StoredJob,
} from '../store/query-types.js';
import type { SettleBatch, Settled } from '../store/settle-types.js';
import type { PayloadRules, StoreOptions } from '../store/store-options.js';
import type { Subscription, WatchObserver } from '../store/watch-types.js';
import { answered } from './answered.js';
import { MongoBatches } from './batches/batches.js';
import { claim } from './claim/claim.js';
import { nextDueAt } from './claim/next-due.js';
import { DueSelector } from './claim/select-due.js';
import { UncertainClaims } from './claim/uncertain-claims.js';
import { findDriverClasses, parseObjectId } from './documents/object-id.js';
import { insert } from './insert/insert.js';
import { isRefusal } from './is-refusal.js';
import { MongoContext } from './mongo-context.js';
import { change } from './operations/change.js';
import { changeWhere } from './operations/change-where.js';
import { counts, countsByName } from './operations/counts.js';
import { findLiveClaim } from './operations/find-live-claim.js';
import { get } from './operations/get.js';
import { release, renew, verify } from './operations/leases.js';
import { JobLogs } from './operations/logs.js';
import { page } from './operations/page.js';
import { ProgressNotes } from './operations/progress.js';
import { recover } from './operations/recover.js';
import { remove, removeWhere } from './operations/remove.js';
import { payloadRules } from './payload-rules.js';
import { MongoRecurring } from './recurring/recurring.js';
import { serverTime } from './server-time.js';
import { settle } from './settle/settle.js';
import { watch } from './watch.js';

/**
 * Keeps jobs in a collection of a MongoDB database, in the documents that Monque has always written.
 *
 * `new Monque(db)` makes one by itself. The `Db`, and the client that it belongs to, stay the caller's: closing the
 * store leaves them open.
 *
 * @param db - A `Db` of the package `mongodb`.
 */
export function mongoStore(db: Db): JobStore<ObjectId> {
  return new MongoStore(db);
}

/** What exists while the store is open. */
interface Open {
  readonly context: MongoContext;
  readonly selector: DueSelector;
  readonly uncertain: UncertainClaims;
  readonly logs: JobLogs;
  readonly progress: ProgressNotes;
}

/** Delegates: each operation is a file of its own, beside the index that it needs. */
class MongoStore implements JobStore<ObjectId> {
  readonly kind = 'mongodb';
  readonly payload: PayloadRules = payloadRules(() => this.#open?.context.driver);
  readonly recurring = new MongoRecurring(() => this.#opened.context.templates);
  readonly batches = new MongoBatches(() => this.#opened.context);
  readonly #db: Db;
  #open: Open | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async open({ collectionName, skipIndexCreation, retention }: StoreOptions): Promise<void> {
    const driver = await findDriverClasses(this.#db);
    const context = new MongoContext(this.#db, collectionName, driver, { skipIndexCreation, retention });
    await context.ensureIndexes();
    this.#open = {
      context,
      selector: new DueSelector(context),
      uncertain: new UncertainClaims(context),
      logs: new JobLogs(context),
      progress: new ProgressNotes(context),
    };
  }

  async close(): Promise<void> {}

  now(): Promise<Date> {
    return answered(serverTime(this.#db));
  }

  parseId(value: unknown): ObjectId | undefined {
    return this.#open === undefined ? undefined : parseObjectId(value, this.#open.context.driver.ObjectId);
  }

  async insert(inserts: readonly Insert[], options?: InsertOptions): Promise<Inserted<ObjectId>[]> {
    return answered(insert(this.#opened.context, inserts, options));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult<ObjectId>> {
    const { context, selector, uncertain } = this.#opened;
    return claim(context, selector, uncertain, request);
  }

  async nextDueAt(names: readonly string[], after: Date): Promise<Date | undefined> {
    return answered(nextDueAt(this.#opened.context, names, after));
  }

  async settle(batch: SettleBatch<ObjectId>): Promise<Settled<ObjectId>[]> {
    const { context, progress } = this.#opened;
    return answered(settle(context, progress, batch));
  }

  isRefusal(error: unknown): boolean {
    return isRefusal(error);
  }

  async release(claims: readonly HeldClaim<ObjectId>[], now: Date): Promise<void> {
    return answered(release(this.#opened.context, claims, now));
  }

  async renew(owner: string, claims: readonly HeldClaim<ObjectId>[]): Promise<LostClaim<ObjectId>[]> {
    return answered(renew(this.#opened.context, owner, claims));
  }

  async verify(owner: string, claims: readonly HeldClaim<ObjectId>[]): Promise<LostClaim<ObjectId>[]> {
    return answered(verify(this.#opened.context, owner, claims));
  }

  async recover(request: RecoverRequest): Promise<number> {
    return answered(recover(this.#opened.context, request));
  }

  async findLiveClaim(owner: string, since: Date): Promise<StoredJob<ObjectId> | undefined> {
    return findLiveClaim(this.#opened.context, owner, since);
  }

  async get(ids: readonly ObjectId[]): Promise<StoredJob<ObjectId>[]> {
    return get(this.#opened.context, ids);
  }

  async page(request: JobPageRequest<ObjectId>): Promise<StoredJob<ObjectId>[]> {
    return page(this.#opened.context, request);
  }

  async counts(name?: string): Promise<StatusCounts> {
    return counts(this.#opened.context, name);
  }

  async countsByName(): Promise<StatusCountsByName> {
    return countsByName(this.#opened.context);
  }

  async change(ids: readonly ObjectId[], request: Change, now: Date): Promise<Changed<ObjectId>[]> {
    return change(this.#opened.context, ids, request, now);
  }

  async changeWhere(filter: JobFilter, request: Change, now: Date, limit: number): Promise<number> {
    return changeWhere(this.#opened.context, filter, request, now, limit);
  }

  async remove(ids: readonly ObjectId[]): Promise<number> {
    return remove(this.#opened.context, ids);
  }

  async removeWhere(filter: JobFilter, limit: number): Promise<number> {
    return removeWhere(this.#opened.context, filter, limit);
  }

  async saveProgress(held: HeldClaim<ObjectId>, progress: JobProgress): Promise<boolean> {
    return answered(this.#opened.progress.save(held, progress));
  }

  async appendLogs(entries: readonly NewLogEntry<ObjectId>[]): Promise<void> {
    return answered(this.#opened.logs.append(entries));
  }

  async logs(id: ObjectId): Promise<JobLogEntry[]> {
    return this.#opened.logs.read(id);
  }

  async watch(observer: WatchObserver<ObjectId>): Promise<Subscription> {
    return watch(this.#opened.context, observer);
  }

  get #opened(): Open {
    if (this.#open === undefined)
      throw new ConnectionError('The MongoDB store is not open. Call open() first');
    return this.#open;
  }
}
