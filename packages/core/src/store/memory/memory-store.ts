import { InvalidOptionError } from '../../errors/input-errors.js';
import type { JobProgress } from '../../job/job.js';
import type { Change, Changed } from '../change-types.js';
import type { ClaimRequest, ClaimResult, HeldClaim, LostClaim, RecoverRequest } from '../claim-types.js';
import type { Insert, Inserted, InsertOptions } from '../insert-types.js';
import type { JobLogEntry, NewLogEntry } from '../log-types.js';
import type { JobStore } from '../port.js';
import type {
  JobFilter,
  JobPageRequest,
  StatusCounts,
  StatusCountsByName,
  StoredJob,
} from '../query-types.js';
import type { SettleBatch, Settled } from '../settle-types.js';
import type { PayloadRules } from '../store-options.js';
import type { Subscription, WatchObserver } from '../watch-types.js';
import { MemoryBatches } from './batches.js';
import { change } from './changes.js';
import { claim } from './claim.js';
import { copyValue } from './copy-value.js';
import { counts, countsByName } from './counts.js';
import { insert } from './insert.js';
import { JobIds, parseJobId } from './job-ids.js';
import { isWaiting } from './job-links.js';
import { JobLogs } from './job-logs.js';
import { JobTable } from './job-table.js';
import { findLiveClaim, lostClaims, recover, release, renew } from './leases.js';
import { isHeld, type MemoryJob, without } from './memory-job.js';
import { page } from './page.js';
import { MemoryRecurring } from './recurring.js';
import { Settlements } from './settlements.js';
import { Watchers } from './watchers.js';

/** How an in-memory store behaves. */
export interface MemoryStoreOptions {
  /**
   * The store's time, in milliseconds since 1970. A test that sets it decides what is due.
   *
   * @defaultValue `Date.now`
   */
  clock?: () => number;
}

/**
 * A store that keeps jobs in this process's memory, for tests and for trying things out. It keeps every promise
 * of a database but the one to outlive its process. Several Monque instances may share one.
 *
 * @example
 * ```ts
 * import { Monque, memory } from '@monque/core';
 *
 * const monque = new Monque(memory());
 * await monque.initialize();
 * monque.register<{ to: string }>('welcome', (job) => `Welcome, ${job.data.to}`);
 * await monque.enqueue('welcome', { to: 'Ada' });
 * await monque.drain();
 * ```
 */
export function memory(options: MemoryStoreOptions = {}): JobStore<string> {
  return new MemoryStore(options.clock);
}

/**
 * The reference for every other store. Each method runs to its end without a break, so that no two of
 * them ever see each other half done: that is all the locking it needs.
 */
export class MemoryStore implements JobStore<string> {
  readonly kind = 'memory';

  readonly payload: PayloadRules = {
    maxBytes: 16 * 1024 * 1024,
    bigint: false,
    sizeOf: (data) => Buffer.byteLength(JSON.stringify(data) ?? ''),
  };

  readonly recurring = new MemoryRecurring();

  readonly #clock: () => number;
  readonly #watchers = new Watchers();
  readonly #table = new JobTable(this.#watchers);
  readonly #ids = new JobIds();
  readonly #settlements = new Settlements(this.#table, this.#ids);
  readonly #logs = new JobLogs();

  readonly batches = new MemoryBatches(this.#table);

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  async now(): Promise<Date> {
    return this.#now();
  }

  parseId(value: unknown): string | undefined {
    return parseJobId(value);
  }

  async insert(inserts: readonly Insert[], options: InsertOptions = {}): Promise<Inserted<string>[]> {
    if (options.session !== undefined) {
      throw new InvalidOptionError(
        'session',
        'The in-memory store has no transactions. Leave "session" out, or use a database',
      );
    }
    return inserts.map((request) => insert(this.#table, this.#ids, this.#clock(), request));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult<string>> {
    return claim(this.#table, request, this.#now());
  }

  async nextDueAt(names: readonly string[], after: Date): Promise<Date | undefined> {
    const times = names.flatMap((name) => this.#table.pending(name)?.nextAfter(after)?.getTime() ?? []);
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  }

  async settle(batch: SettleBatch<string>): Promise<Settled<string>[]> {
    return this.#settlements.settle(batch);
  }

  /** It takes everything that its rules for payloads let through. */
  isRefusal(): boolean {
    return false;
  }

  async release(claims: readonly HeldClaim<string>[], now: Date): Promise<void> {
    release(this.#table, claims, new Date(now));
  }

  async renew(owner: string, claims: readonly HeldClaim<string>[]): Promise<LostClaim<string>[]> {
    return renew(this.#table, owner, claims, this.#now());
  }

  async verify(owner: string, claims: readonly HeldClaim<string>[]): Promise<LostClaim<string>[]> {
    return lostClaims(this.#table, owner, claims);
  }

  async recover(request: RecoverRequest): Promise<number> {
    return recover(this.#table, request, this.#now());
  }

  async findLiveClaim(owner: string, since: Date): Promise<StoredJob<string> | undefined> {
    return copyValue(findLiveClaim(this.#table, owner, since));
  }

  async get(ids: readonly string[]): Promise<StoredJob<string>[]> {
    return this.#present(ids).map((job) => copyValue(job));
  }

  async page(request: JobPageRequest<string>): Promise<StoredJob<string>[]> {
    return page(this.#table, request).map((job) => copyValue(job));
  }

  async counts(name?: string): Promise<StatusCounts> {
    return counts(this.#table.matching(name === undefined ? {} : { name }));
  }

  async countsByName(): Promise<StatusCountsByName> {
    return countsByName(this.#table.all());
  }

  async change(ids: readonly string[], request: Change, now: Date): Promise<Changed<string>[]> {
    const at = new Date(now);
    return this.#present(ids).flatMap((job) => change(this.#table, job, request, at) ?? []);
  }

  async changeWhere(filter: JobFilter, request: Change, now: Date, limit: number): Promise<number> {
    const at = new Date(now);
    let changed = 0;
    for (const job of [...this.#table.matching(filter)]) {
      if (changed >= limit) break;
      if (change(this.#table, job, request, at) !== undefined) changed += 1;
    }
    return changed;
  }

  async remove(ids: readonly string[]): Promise<number> {
    return ids.reduce((count, id) => count + this.#delete(id), 0);
  }

  async removeWhere(filter: JobFilter, limit: number): Promise<number> {
    const doomed = [...this.#table.matching(filter)].slice(0, limit);
    return this.remove(doomed.map(({ _id }) => _id));
  }

  async saveProgress(claim: HeldClaim<string>, progress: JobProgress): Promise<boolean> {
    const job = this.#table.get(claim.id);
    if (!isHeld(job, claim.token)) return false;
    this.#table.put({ ...job, progress: copyValue(progress), updatedAt: new Date(progress.at) });
    return true;
  }

  async appendLogs(entries: readonly NewLogEntry<string>[]): Promise<void> {
    // Nobody would ever remove the log of a job that is gone.
    for (const entry of entries) if (this.#table.get(entry.jobId)) this.#logs.append(entry);
  }

  async logs(id: string): Promise<JobLogEntry[]> {
    return this.#logs.of(id);
  }

  async watch(observer: WatchObserver<string>): Promise<Subscription> {
    return this.#watchers.watch(observer);
  }

  /**
   * Puts a document into the store as it is, the way another program would write one into a database.
   *
   * @internal
   */
  async write(document: Record<string, unknown>): Promise<string> {
    const _id = parseJobId(document._id) ?? this.#ids.next(this.#clock());
    this.#table.put(copyValue({ ...document, _id }) as unknown as MemoryJob);
    return _id;
  }

  #now(): Date {
    return new Date(this.#clock());
  }

  #present(ids: readonly string[]): MemoryJob[] {
    return [...new Set(ids)].flatMap((id) => this.#table.get(id) ?? []);
  }

  /** Answers how many jobs it removed: those that wait for this one go with it. */
  #delete(id: string): number {
    this.#logs.delete(id);
    this.#settlements.forget(id);
    if (!this.#table.delete(id)) return 0;
    let count = 1;
    for (const child of this.#table.childrenOf(id)) {
      if (isWaiting(child)) count += this.#delete(child._id);
      else this.#table.put(without(child, 'parentJobId'));
    }
    return count;
  }
}
