import type { Db, ObjectId } from 'mongodb';
import type { BatchDocument, Batches } from './batches/batch-document.js';
import { Announced } from './claim/announced.js';
import { ClaimOwners } from './claim/claim-owners.js';
import type { JobDocument, Jobs, LogDocument, Logs } from './documents/job-document.js';
import type { DriverClasses } from './documents/object-id.js';
import { isBadHint } from './driver-errors.js';
import type { IndexRole } from './indexes/index-specs.js';
import {
  ensureIndexes,
  type IndexNames,
  type IndexOptions,
  type KnownIndexes,
  knownIndexes,
} from './indexes/indexes.js';
import type { TemplateDocument, Templates } from './recurring/template-document.js';

/** The name under which an existing collection of Monque is found. */
const DEFAULT_COLLECTION = 'monque_jobs';

/**
 * Whatever the user's client is set to: acknowledged by a majority, read where it was written, absent instead of
 * null, and plain numbers.
 */
const COLLECTION_OPTIONS = {
  writeConcern: { w: 'majority' },
  readConcern: { level: 'local' },
  readPreference: 'primary',
  ignoreUndefined: true,
  promoteValues: true,
  promoteLongs: true,
  raw: false,
} as const;

/** Time after which a producer looks again whether the unique index is still there, in milliseconds. */
const LOOK_INTERVAL_MS = 1_000;
/** The same after it could not be made: each try reads the whole collection. */
const RETRY_INTERVAL_MS = 30_000;

/** What the operations of an open store work on. */
export class MongoContext {
  readonly jobs: Jobs;
  readonly logs: Logs;
  readonly batches: Batches;
  readonly templates: Templates;
  readonly driver: DriverClasses;
  readonly owners = new ClaimOwners();
  readonly announced = new Announced();
  readonly #indexOptions: IndexOptions;
  #indexes: KnownIndexes = { names: {}, guardsKeys: false };
  #nextLook = 0;
  #ensuring: Promise<void> | undefined;

  constructor(db: Db, collectionName: string, driver: DriverClasses, indexOptions: IndexOptions) {
    const isDefault = collectionName === DEFAULT_COLLECTION;
    const batchesName = isDefault ? 'monque_batches' : `${collectionName}_batches`;
    const logsName = isDefault ? 'monque_job_logs' : `${collectionName}_logs`;
    const templatesName = isDefault ? 'monque_recurring' : `${collectionName}_recurring`;
    this.jobs = db.collection<JobDocument>(collectionName, COLLECTION_OPTIONS);
    this.logs = db.collection<LogDocument>(logsName, COLLECTION_OPTIONS);
    this.batches = db.collection<BatchDocument>(batchesName, COLLECTION_OPTIONS);
    this.templates = db.collection<TemplateDocument>(templatesName, COLLECTION_OPTIONS);
    this.driver = driver;
    this.#indexOptions = indexOptions;
  }

  get skipIndexCreation(): boolean {
    return this.#indexOptions.skipIndexCreation;
  }

  newId(): ObjectId {
    return new this.driver.ObjectId();
  }

  /** Creates or adopts the indexes. Calls at the same time share one pass. */
  ensureIndexes(): Promise<void> {
    this.#ensuring ??= this.#ensureIndexes().finally(() => {
      this.#ensuring = undefined;
    });
    return this.#ensuring;
  }

  /**
   * Runs queries that name their indexes, so that the planner has no choice to get wrong. Where an index is gone,
   * because someone dropped it or the whole collection, the indexes are made again first. Where they cannot be, the
   * queries do without: slowly is better than not at all.
   */
  async withIndexes<T>(queries: (names: IndexNames) => Promise<T>): Promise<T> {
    try {
      return await queries(this.#indexes.names);
    } catch (error) {
      if (!isBadHint(error)) throw error;
      await this.#restoreIndexes();
      return queries(this.#indexes.names);
    }
  }

  /** Whether an index keeps unique keys unique, as far as is known. */
  get guardsKeys(): boolean {
    return this.#indexes.guardsKeys;
  }

  /**
   * Looks now and then whether the unique index is still there, and makes it again if not. A process that only
   * stores jobs names no index and would never learn that someone dropped it. Never rejects: what this comes to
   * only decides how the next jobs are stored.
   */
  async lookAfterKeys(): Promise<void> {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + LOOK_INTERVAL_MS;
    const found = await knownIndexes(this.jobs).catch(() => undefined);
    if (found?.guardsKeys) this.#indexes = { ...this.#indexes, guardsKeys: true };
    else if (found !== undefined) await this.#restoreIndexes();
  }

  async #restoreIndexes(): Promise<void> {
    try {
      await this.ensureIndexes();
    } catch {
      this.#nextLook = performance.now() + RETRY_INTERVAL_MS;
      this.#indexes = await knownIndexes(this.jobs).catch(() => ({ names: {}, guardsKeys: false }));
    }
  }

  async #ensureIndexes(): Promise<void> {
    this.#indexes = await ensureIndexes(this.jobs, this.#indexOptions);
    this.#nextLook = performance.now() + LOOK_INTERVAL_MS;
  }
}

/** The options that name the index for a query; none where it wants none, or that is not to be had. */
export function hintFor(indexes: IndexNames, role: IndexRole | undefined): { hint?: string } {
  return role === undefined ? {} : hinting(indexes[role]);
}

/** The options that name an index, or none where it is not to be had. */
export function hinting(name: string | undefined): { hint?: string } {
  return name === undefined ? {} : { hint: name };
}
