import { EventEmitter } from 'node:events';
import type { MonqueEventMap } from '../events.js';
import { continueWith } from '../intake/enqueue.js';
import type { CheckedItems, EnqueueItem, JobsOf } from '../intake/enqueue-many.js';
import type { JobDefinition } from '../job/definition.js';
import type { ContinueOptions } from '../job/enqueue-options.js';
import type { PersistedJob } from '../job/job.js';
import type { CancelJobOptions } from '../manage/job-actions.js';
import type { Recurring } from '../recurring/recurring.js';
import type { Runtime } from '../runtime.js';
import type { Batch } from './batch.js';
import { cancelBatch, retryBatch } from './batch-actions.js';
import type { EnqueueBatchOptions } from './batch-input.js';
import { continueBatchWith } from './continue-batch.js';
import { addToBatch, type EnqueuedBatch, enqueueBatch } from './enqueue-batch.js';
import { getJobTree, type JobTree, type JobTreeOptions } from './job-tree.js';
import { getBatch, type ListBatchesOptions, listBatches } from './read-batches.js';

/** What `Monque` offers for jobs that follow others, jobs that belong together, and jobs that come again and again. */
export abstract class WorkflowApi<Id> extends EventEmitter<MonqueEventMap<Id>> {
  readonly #runtime: () => Runtime<Id>;

  /** @param runtime - The parts of the instance, which are there once it is constructed. */
  constructor(runtime: () => Runtime<Id>) {
    super();
    this.#runtime = runtime;
  }

  /** Templates that make a new job at each of their times. */
  get recurring(): Recurring<Id> {
    return this.#runtime().recurring;
  }

  /**
   * Stores a job that runs after another one. It waits with the status `awaiting-continuation`; after an end that it was not
   * to follow it is cancelled, and what follows it in turn. Works also where the parent has ended already. The handler
   * sees the parent's result as `context.parent`.
   *
   * @throws ParentNotFoundError where there is no such job, or it is deleted meanwhile; and what `enqueue` throws.
   *
   * @example
   * ```ts
   * import { Monque, memory } from '@monque/core';
   *
   * const monque = new Monque(memory());
   * await monque.initialize();
   * const payment = await monque.enqueue('charge-card', { orderId: 7 });
   * await monque.continueWith(payment._id, 'ship-order', { orderId: 7 });
   * await monque.continueWith(payment._id, 'tell-customer', { orderId: 7 }, { on: 'failure' });
   * ```
   */
  continueWith<Input>(
    parentId: Id | string,
    definition: JobDefinition<Input, unknown, unknown>,
    data: NoInfer<Input>,
    options?: ContinueOptions,
  ): Promise<PersistedJob<Input, Id>>;
  continueWith<T>(
    parentId: Id | string,
    name: string,
    data: T,
    options?: ContinueOptions,
  ): Promise<PersistedJob<T, Id>>;
  async continueWith(
    parentId: Id | string,
    target: string | JobDefinition,
    data: unknown,
    options?: ContinueOptions,
  ) {
    return continueWith(this.#ready(), parentId, target, data, options);
  }

  /**
   * Stores jobs that belong together, all of them or none, however many they are. All are checked before any is written,
   * and an error names the index. Their options may not have `uniqueKey`, `hold`, `session` or `parent`. A batch without
   * jobs is complete at once.
   *
   * @throws DuplicateBatchError where the id is taken; and what `enqueueMany` throws.
   *
   * @example
   * ```ts
   * import { Monque, memory } from '@monque/core';
   *
   * const monque = new Monque(memory());
   * await monque.initialize();
   * const rows = [{ name: 'import-row', data: { row: 1 } }, { name: 'import-row', data: { row: 2 } }];
   * const { batchId } = await monque.enqueueBatch(rows, { name: 'Nightly import' });
   * await monque.continueBatchWith(batchId, 'report', {}, { on: 'any' });
   * ```
   */
  async enqueueBatch<Items extends readonly EnqueueItem[] | []>(
    items: Items & CheckedItems<Items>,
    options?: EnqueueBatchOptions,
  ): Promise<EnqueuedBatch<JobsOf<Items, Id>>> {
    const { batchId, jobs } = await enqueueBatch(this.#ready(), items, options);
    return { batchId, jobs: jobs as unknown as JobsOf<Items, Id> };
  }

  /**
   * Stores further jobs of a batch, all of them or none; also from the handler of one of its jobs.
   *
   * @throws BatchNotFoundError; BatchFinishedError once it is complete; and what `enqueueBatch` throws.
   */
  async addToBatch<Items extends readonly EnqueueItem[] | []>(
    batchId: string,
    items: Items & CheckedItems<Items>,
  ): Promise<JobsOf<Items, Id>> {
    return (await addToBatch(this.#ready(), batchId, items)) as unknown as JobsOf<Items, Id>;
  }

  /**
   * Stores a job that runs when every job of a batch is final: by default if all succeeded, with `on: 'failure'` if one
   * failed, with `on: 'any'` in any case. Otherwise it is cancelled. It waits with the status `awaiting-batch`; its handler
   * sees the counts as `context.batch`.
   *
   * @throws BatchNotFoundError; and what `enqueue` throws.
   */
  continueBatchWith<Input>(
    batchId: string,
    definition: JobDefinition<Input, unknown, unknown>,
    data: NoInfer<Input>,
    options?: ContinueOptions,
  ): Promise<PersistedJob<Input, Id>>;
  continueBatchWith<T>(
    batchId: string,
    name: string,
    data: T,
    options?: ContinueOptions,
  ): Promise<PersistedJob<T, Id>>;
  async continueBatchWith(
    batchId: string,
    target: string | JobDefinition,
    data: unknown,
    options?: ContinueOptions,
  ) {
    return continueBatchWith(this.#ready(), batchId, target, data, options);
  }

  /** A batch as it is now: its jobs by status, and how far it is; null where there is none. */
  async getBatch(batchId: string): Promise<Batch | null> {
    return getBatch(this.#ready().store.batches, batchId);
  }

  /** Lists batches, the newest first; 100 unless `limit` says otherwise. */
  async listBatches(options?: ListBatchesOptions): Promise<Batch[]> {
    return listBatches(this.#ready().store.batches, options);
  }

  /** Cancels the jobs of a batch that wait, with `running` also those that run; null where there is no such batch. */
  async cancelBatch(batchId: string, options?: CancelJobOptions): Promise<Batch | null> {
    return cancelBatch(this.#ready(), batchId, options);
  }

  /**
   * Lets the failed jobs of a batch run again. The batch is open again, and what was cancelled because it failed waits for
   * it again. Null where there is no such batch.
   */
  async retryBatch(batchId: string): Promise<Batch | null> {
    return retryBatch(this.#ready(), batchId);
  }

  /** A job with all that follows it, and what follows that; null where there is no such job. */
  async getJobTree(id: Id | string, options?: JobTreeOptions): Promise<JobTree<Id> | null> {
    return getJobTree(this.#ready().store, id, options);
  }

  /** The runtime, once it can be used; methods are asynchronous, so what this throws rejects. */
  #ready(): Runtime<Id> {
    const runtime = this.#runtime();
    runtime.lifecycle.requireInitialized();
    return runtime;
  }
}
