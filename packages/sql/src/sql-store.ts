import {
  type Change,
  type Changed,
  type ClaimRequest,
  type ClaimResult,
  ConnectionError,
  type HeldClaim,
  type Insert,
  type Inserted,
  type InsertOptions,
  type JobFilter,
  type JobLogEntry,
  type JobPageRequest,
  type JobProgress,
  type JobStore,
  type LostClaim,
  type NewLogEntry,
  type PayloadRules,
  type RecoverRequest,
  type SettleBatch,
  type Settled,
  type StatusCounts,
  type StatusCountsByName,
  type StoredJob,
  type Subscription,
  type WatchObserver,
} from '@monque/core';
import type { Backend } from './backend.js';
import { SqlBatches } from './batches/sql-batches.js';
import { insert, isSingleInsert } from './insert/insert.js';
import type { Operation } from './operation.js';
import { change } from './operations/change.js';
import { changeWhere } from './operations/change-where.js';
import { counts, countsByName } from './operations/counts.js';
import { findLiveClaim } from './operations/find-live-claim.js';
import { release, renew, verify } from './operations/leases.js';
import { appendLogs, readLogs } from './operations/logs.js';
import { page } from './operations/page.js';
import { saveProgress } from './operations/progress.js';
import { get } from './operations/read-jobs.js';
import { recover } from './operations/recover.js';
import { remove, removeWhere } from './operations/remove.js';
import { SqlRecurring } from './recurring/sql-recurring.js';
import { parseJobId } from './rows/job-ids.js';
import { ProgressNotes } from './settle/progress-notes.js';
import { isSingleWrite, settle } from './settle/settle.js';

/** What distinguishes one kind of store before it is open. */
export interface StoreKind {
  readonly kind: string;
  /** Largest payload in bytes. */
  readonly maxPayload: number;
  open(): Promise<Backend>;
  /** Whether an error says that the database will never take what it was given. */
  isRefusal(error: unknown): boolean;
}

/** Keeps jobs in JobSharp's tables. It delegates: each operation is a file of its own, beside the index that it needs. */
export class SqlStore implements JobStore<string> {
  readonly kind: string;
  readonly payload: PayloadRules;
  readonly recurring = new SqlRecurring(
    (operation) => this.#run(operation),
    (operation) => this.#transact(operation),
  );
  readonly batches = new SqlBatches((operation) => this.#run(operation));
  readonly #kind: StoreKind;
  readonly #progress = new ProgressNotes();
  #opening: Promise<Backend> | undefined;
  #open: Backend | undefined;

  constructor(kind: StoreKind) {
    this.#kind = kind;
    this.kind = kind.kind;
    this.payload = {
      maxBytes: kind.maxPayload,
      bigint: false,
      json: true,
      sizeOf: (data) => Buffer.byteLength(JSON.stringify(data) ?? ''),
    };
  }

  /** Callers share one opening; one that failed is forgotten, so that the next call tries again. */
  async open(): Promise<void> {
    this.#opening ??= this.#kind.open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    this.#open = await this.#opening;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#open = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }

  async now(): Promise<Date> {
    return this.#opened.now();
  }

  parseId(value: unknown): string | undefined {
    return parseJobId(value);
  }

  async insert(inserts: readonly Insert[], options: InsertOptions = {}): Promise<Inserted<string>[]> {
    const { context, writer } = this.#opened;
    if (inserts.length === 0) return [];
    const { session } = options;
    if (session !== undefined) {
      return this.#opened.inSession(session, (inside) => insert(inside.context, inside.writer, inserts));
    }
    const operation = () => insert(context, writer, inserts);
    return isSingleInsert(inserts) && !context.database.needsTransactions
      ? context.database.run(operation)
      : context.database.transact(operation);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult<string>> {
    return this.#opened.claim(request);
  }

  async nextDueAt(names: readonly string[], after: Date): Promise<Date | undefined> {
    return names.length === 0 ? undefined : this.#opened.nextDueAt(names, after);
  }

  async settle(batch: SettleBatch<string>): Promise<Settled<string>[]> {
    const { context, writer } = this.#opened;
    if (batch.items.length === 0) return [];
    const operation = () => settle(context, writer, this.#progress, batch);
    const settled = await (isSingleWrite(batch) && !context.database.needsTransactions
      ? context.database.run(operation)
      : context.database.transact(operation));
    for (const { job, token } of batch.items) this.#progress.forget(token, job._id);
    this.#open?.ended?.(batch.items);
    return settled;
  }

  isRefusal(error: unknown): boolean {
    return this.#kind.isRefusal(error);
  }

  async release(claims: readonly HeldClaim<string>[], now: Date): Promise<void> {
    if (claims.length === 0) return;
    await this.#run((context) => release(context, claims, now));
    this.#open?.ended?.(claims);
  }

  async renew(owner: string, claims: readonly HeldClaim<string>[]): Promise<LostClaim<string>[]> {
    return this.#run((context) => renew(context, owner, claims));
  }

  async verify(owner: string, claims: readonly HeldClaim<string>[]): Promise<LostClaim<string>[]> {
    return this.#run((context) => verify(context, owner, claims));
  }

  async recover(request: RecoverRequest): Promise<number> {
    return this.#run((context) => recover(context, request));
  }

  async findLiveClaim(owner: string, since: Date): Promise<StoredJob<string> | undefined> {
    return this.#run((context) => findLiveClaim(context, owner, since));
  }

  async get(ids: readonly string[]): Promise<StoredJob<string>[]> {
    return ids.length === 0 ? [] : this.#run((context) => get(context, ids));
  }

  async page(request: JobPageRequest<string>): Promise<StoredJob<string>[]> {
    return this.#run((context) => page(context, request));
  }

  async counts(name?: string): Promise<StatusCounts> {
    return this.#run((context) => counts(context, name));
  }

  async countsByName(): Promise<StatusCountsByName> {
    return this.#run((context) => countsByName(context));
  }

  async change(ids: readonly string[], request: Change, now: Date): Promise<Changed<string>[]> {
    return ids.length === 0 ? [] : this.#transact((context) => change(context, ids, request, now));
  }

  async changeWhere(filter: JobFilter, request: Change, now: Date, limit: number): Promise<number> {
    return this.#transact((context) => changeWhere(context, filter, request, now, limit));
  }

  async remove(ids: readonly string[]): Promise<number> {
    return ids.length === 0 ? 0 : this.#transact((context) => remove(context, ids));
  }

  async removeWhere(filter: JobFilter, limit: number): Promise<number> {
    return this.#transact((context) => removeWhere(context, filter, limit));
  }

  async saveProgress(held: HeldClaim<string>, progress: JobProgress): Promise<boolean> {
    const isStored = await this.#run((context) => saveProgress(context, held, progress));
    if (isStored) this.#progress.remember(held.token, held.id, progress);
    return isStored;
  }

  async appendLogs(entries: readonly NewLogEntry<string>[]): Promise<void> {
    if (entries.length > 0) await this.#transact((context) => appendLogs(context, entries));
  }

  async logs(id: string): Promise<JobLogEntry[]> {
    return this.#run((context) => readLogs(context, id));
  }

  async watch(observer: WatchObserver<string>): Promise<Subscription> {
    return this.#opened.watch(observer);
  }

  #run<T>(operation: (context: Backend['context']) => Operation<T>): Promise<T> {
    const { context } = this.#opened;
    return context.database.run(() => operation(context));
  }

  #transact<T>(operation: (context: Backend['context']) => Operation<T>): Promise<T> {
    const { context } = this.#opened;
    return context.database.transact(() => operation(context));
  }

  get #opened(): Backend {
    if (this.#open === undefined) {
      throw new ConnectionError(`The ${this.kind} store is not open. Call open() first`);
    }
    return this.#open;
  }
}
