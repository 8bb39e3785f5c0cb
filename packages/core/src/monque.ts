import type { Db, ObjectId } from 'mongodb';
import { isolatingEmit } from './emitter.js';
import type { DrainResult } from './engine/engine-types.js';
import { nodeHost } from './engine/host.js';
import { enqueue } from './intake/enqueue.js';
import { type CheckedItems, type EnqueueItem, enqueueMany, type JobsOf } from './intake/enqueue-many.js';
import { schedule } from './intake/schedule.js';
import type { JobDefinition } from './job/definition.js';
import type { EnqueueOptions, ScheduleOptions } from './job/enqueue-options.js';
import type { JobHandler, WorkerOptions } from './job/handler.js';
import type { PersistedJob } from './job/job.js';
import { registerWorker } from './lifecycle/register-worker.js';
import { resolveStore } from './lifecycle/resolve-store.js';
import type { BulkOperationResult } from './manage/bulk-actions.js';
import type { CursorOptions, CursorPage } from './manage/cursor-types.js';
import { getJobLogs } from './manage/get-job-logs.js';
import { type GetJobsFilter, getJob, getJobs } from './manage/get-jobs.js';
import { getQueueStats } from './manage/get-stats.js';
import type { CancelJobOptions } from './manage/job-actions.js';
import { getPage } from './manage/page.js';
import { getQueueViews, type QueueViewSummary } from './manage/queue-views.js';
import type { JobSelector } from './manage/selector.js';
import type { QueueStats } from './manage/stats.js';
import { type WaitForJobOptions, waitForJob } from './manage/wait-for-job.js';
import type { MonqueOptions } from './options/monque-options.js';
import { resolveOptions } from './options/resolve-options.js';
import { createRuntime, type Runtime } from './runtime.js';
import type { JobLogEntry } from './store/log-types.js';
import type { JobStore } from './store/port.js';
import { WorkflowApi } from './workflow/workflow-api.js';

/**
 * A job system on a database: stores jobs, runs their handlers, and tells of both.
 *
 * Until `initialize()` has succeeded every asynchronous method rejects with `ConnectionError`, and so it does when the
 * database fails. Methods that take an id take it in the store's own form or as text.
 *
 * @typeParam Id - The store's own kind of id: an `ObjectId` on MongoDB, a string elsewhere.
 *
 * @example
 * ```ts
 * import { Monque } from '@monque/core';
 * import { MongoClient } from 'mongodb';
 *
 * const client = await MongoClient.connect('mongodb://localhost:27017');
 * const monque = new Monque(client.db('shop'));
 * monque.register<{ to: string }>('send-email', async (job) => {
 *   console.log(`To ${job.data.to}`);
 * });
 * await monque.initialize();
 * monque.start();
 * await monque.enqueue('send-email', { to: 'ada@example.com' });
 * ```
 */
export class Monque<Id = ObjectId> extends WorkflowApi<Id> implements AsyncDisposable {
  readonly #runtime: Runtime<Id>;

  /**
   * Connects to nothing yet.
   *
   * @param db - A database of the MongoDB driver, or a store such as `memory()`.
   * @throws InvalidOptionError naming the option.
   */
  constructor(db: Db | JobStore<Id>, options?: MonqueOptions) {
    super(() => this.#runtime);
    this.setMaxListeners(20);
    const store = resolveStore<Id>(db);
    const monque = this as Monque<unknown>;
    this.#runtime = createRuntime(store, resolveOptions(options), nodeHost, isolatingEmit(this), monque);
  }

  /** Prepares the database and gives back the jobs of dead processes. One that failed can be called again. */
  async initialize(): Promise<void> {
    await this.#runtime.lifecycle.initialize();
  }

  /**
   * Makes a handler known, under a name or for a definition; before or after `start()`.
   *
   * @throws WorkerRegistrationError where the name has a worker already; see `replace`.
   */
  register<Input, Result, Output>(
    definition: JobDefinition<Input, Result, Output>,
    handler: JobHandler<Output, Result, Id>,
    options?: WorkerOptions<Output, Id>,
  ): void;
  register<T = unknown>(
    name: string,
    handler: JobHandler<T, unknown, Id>,
    options?: WorkerOptions<T, Id>,
  ): void;
  register<T>(
    target: string | JobDefinition,
    handler: JobHandler<T, unknown, Id>,
    options?: WorkerOptions<T, Id>,
  ) {
    registerWorker(this.#runtime, target, handler as JobHandler<unknown, unknown, unknown>, options);
  }

  /** The same as {@link Monque.register}. */
  worker<Input, Result, Output>(
    definition: JobDefinition<Input, Result, Output>,
    handler: JobHandler<Output, Result, Id>,
    options?: WorkerOptions<Output, Id>,
  ): void;
  worker<T = unknown>(
    name: string,
    handler: JobHandler<T, unknown, Id>,
    options?: WorkerOptions<T, Id>,
  ): void;
  worker<T>(
    target: string | JobDefinition,
    handler: JobHandler<T, unknown, Id>,
    options?: WorkerOptions<T, Id>,
  ) {
    registerWorker(this.#runtime, target, handler as JobHandler<unknown, unknown, unknown>, options);
  }

  /** Begins to take jobs, at once. Does nothing where it has begun. */
  start(): void {
    this.#runtime.lifecycle.start();
  }

  /**
   * Takes no further job, and waits for running handlers and their stored results, for `shutdownTimeout` at most.
   * Afterwards the instance still enqueues and queries, and can be started again.
   */
  async stop(): Promise<void> {
    await this.#runtime.lifecycle.stop();
  }

  /** Stops, and ends what Monque itself opened; a connection that was handed in stays open. */
  async close(): Promise<void> {
    await this.#runtime.lifecycle.close();
  }

  /** The same as {@link Monque.close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Whether the instance is initialised and takes jobs. */
  isHealthy(): boolean {
    return this.#runtime.lifecycle.healthy;
  }

  /**
   * Stores a job. Where its unique key is taken, the answer is the existing job, unless `onDuplicate` says otherwise.
   *
   * @throws InvalidJobIdentifierError | InvalidOptionError | InvalidPayloadError | PayloadTooLargeError before
   * anything is written; DuplicateJobError with `onDuplicate: 'reject'`
   */
  enqueue<Input>(
    definition: JobDefinition<Input, unknown, unknown>,
    data: NoInfer<Input>,
    options?: EnqueueOptions,
  ): Promise<PersistedJob<Input, Id>>;
  enqueue<T>(name: string, data: T, options?: EnqueueOptions): Promise<PersistedJob<T, Id>>;
  async enqueue(target: string | JobDefinition, data: unknown, options?: EnqueueOptions) {
    return enqueue(this.#ready(), target, data, options);
  }

  /** Stores a job that is due at once. */
  now<Input>(
    definition: JobDefinition<Input, unknown, unknown>,
    data: NoInfer<Input>,
  ): Promise<PersistedJob<Input, Id>>;
  now<T>(name: string, data: T): Promise<PersistedJob<T, Id>>;
  async now(target: string | JobDefinition, data: unknown) {
    return enqueue(this.#ready(), target, data, undefined);
  }

  /**
   * Stores many jobs, far faster than one by one; answers in the order of the items. All are checked before any is
   * written, and an error names the index. A duplicate that is rejected fails the call after the rest was stored.
   */
  async enqueueMany<Items extends readonly EnqueueItem[] | []>(
    items: Items & CheckedItems<Items>,
  ): Promise<JobsOf<Items, Id>> {
    return (await enqueueMany(this.#ready(), items)) as unknown as JobsOf<Items, Id>;
  }

  /**
   * Stores a job that repeats by a cron expression: five fields, or a predefined name such as `@daily`.
   *
   * @throws InvalidCronError before anything is written.
   */
  schedule<Input>(
    cron: string,
    definition: JobDefinition<Input, unknown, unknown>,
    data: NoInfer<Input>,
    options?: ScheduleOptions,
  ): Promise<PersistedJob<Input, Id>>;
  schedule<T>(cron: string, name: string, data: T, options?: ScheduleOptions): Promise<PersistedJob<T, Id>>;
  async schedule(cron: string, target: string | JobDefinition, data: unknown, options?: ScheduleOptions) {
    return schedule(this.#ready(), cron, target, data, options);
  }

  /** Reads one job; null where there is none. */
  async getJob<T = unknown>(id: Id | string): Promise<PersistedJob<T, Id> | null> {
    return (await getJob(this.#ready().store, id)) as PersistedJob<T, Id> | null;
  }

  /** Lists jobs by due time, the earliest first; 100 unless `limit` says otherwise. */
  async getJobs<T = unknown>(filter?: GetJobsFilter): Promise<PersistedJob<T, Id>[]> {
    return (await getJobs(this.#ready().store, filter)) as PersistedJob<T, Id>[];
  }

  /** Reads a page of jobs; no job is left out or told twice while others come and go. */
  async getJobsWithCursor<T = unknown>(options?: CursorOptions): Promise<CursorPage<T, Id>> {
    return (await getPage(this.#ready().store, options)) as CursorPage<T, Id>;
  }

  /** Counts jobs by status, of one name or of all; remembered for `statsCacheTtlMs`. */
  async getQueueStats(filter?: Pick<JobSelector, 'name'>): Promise<QueueStats> {
    return getQueueStats(this.#ready(), filter);
  }

  /** Summarises every stored or registered job name, sorted by name. */
  async getQueueViewSummaries(): Promise<readonly QueueViewSummary[]> {
    const { store, workers, engine } = this.#ready();
    return getQueueViews(store, workers, engine);
  }

  /** The log of a job, oldest entry first; empty where there is no such job. */
  async getJobLogs(id: Id | string): Promise<JobLogEntry[]> {
    return getJobLogs(this.#ready().store, id);
  }

  /** Cancels a job that waits, with `running` also one that runs. @throws JobStateError in any other status. */
  async cancelJob(id: Id | string, options?: CancelJobOptions): Promise<PersistedJob<unknown, Id> | null> {
    return this.#ready().actions.cancel(id, options);
  }

  /**
   * Lets a failed or cancelled job run again, from the first attempt, at once.
   *
   * @throws JobStateError in any other status; DuplicateJobError where its unique key is taken meanwhile.
   */
  async retryJob(id: Id | string): Promise<PersistedJob<unknown, Id> | null> {
    return this.#ready().actions.retry(id);
  }

  /** Gives a pending job another due time. @throws JobStateError in any other status. */
  async rescheduleJob(id: Id | string, runAt: Date): Promise<PersistedJob<unknown, Id> | null> {
    return this.#ready().actions.reschedule(id, runAt);
  }

  /**
   * Lets a held job run, when it is due.
   *
   * @throws JobStateError where it is not held; DuplicateJobError where its unique key is taken meanwhile.
   */
  async releaseJob(id: Id | string): Promise<PersistedJob<unknown, Id> | null> {
    return this.#ready().actions.release(id);
  }

  /** Removes a job in whatever status; a run of it is told to stop. False where there is none. */
  async deleteJob(id: Id | string): Promise<boolean> {
    return this.#ready().actions.delete(id);
  }

  /** Cancels all selected jobs that wait. @throws InvalidSelectorError */
  async cancelJobs(selector: JobSelector): Promise<BulkOperationResult> {
    return this.#ready().bulk.cancel(selector);
  }

  /**
   * Lets all selected jobs that failed or were cancelled run again. What was cancelled because one of them ended so waits
   * for it again, and is not counted. @throws InvalidSelectorError
   */
  async retryJobs(selector: JobSelector): Promise<BulkOperationResult> {
    return this.#ready().bulk.retry(selector);
  }

  /** Removes all jobs that are selected, in whatever status. @throws InvalidSelectorError */
  async deleteJobs(selector: JobSelector): Promise<BulkOperationResult> {
    return this.#ready().bulk.delete(selector);
  }

  /** Waits until a job is completed, failed or cancelled; null where there is none, or it is removed meanwhile. */
  async waitForJob<T = unknown>(
    id: Id | string,
    options?: WaitForJobOptions,
  ): Promise<PersistedJob<T, Id> | null> {
    return (await waitForJob(this.#ready(), id, options)) as PersistedJob<T, Id> | null;
  }

  /** Runs what is due until nothing is, whether or not the instance was started; for tests and scripts. */
  async drain(): Promise<DrainResult> {
    return this.#runtime.lifecycle.drain();
  }

  /** The runtime, once it can be used; methods are asynchronous, so what this throws rejects. */
  #ready(): Runtime<Id> {
    this.#runtime.lifecycle.requireInitialized();
    return this.#runtime;
  }
}
