import type { Job, JobContext, ScheduleOptions, WorkerOptions } from '@monque/core';
import type { ObjectId } from 'mongodb';

/** Options of `@Worker`: those of `Monque.register()`. */
export type WorkerDecoratorOptions = WorkerOptions<never, never>;

/** Options of `@Cron`: those of `Monque.schedule()`, and the job's name. */
export interface CronDecoratorOptions extends ScheduleOptions {
  /**
   * Name of the job, without the controller's namespace.
   *
   * @defaultValue the name of the method
   */
  name?: string;
}

/** One method with `@Worker`. */
export interface WorkerMetadata {
  /** Name of its jobs, without the controller's namespace. */
  name: string;
  /** Name of the method. */
  method: string;
  /** Passed to `Monque.register()`. */
  opts: WorkerDecoratorOptions;
}

/** One method with `@Cron`. */
export interface CronMetadata {
  /** Five fields, or a predefined name such as `@daily`. */
  pattern: string;
  /** Name of its job, without the controller's namespace. */
  name: string;
  /** Name of the method. */
  method: string;
  /** Passed to `Monque.schedule()`. */
  opts: CronDecoratorOptions;
}

/** What the decorators know about a class; kept in its `Store` under `MONQUE`. */
export interface WorkerStore {
  /** Always `controller`. */
  type: 'controller';
  /** Put before the names of all jobs: `{namespace}.{name}`. */
  namespace?: string;
  /** Id of the instance that runs its jobs, where it is not the default one. */
  instance?: string;
  /** Methods with `@Worker`. */
  workers: WorkerMetadata[];
  /** Methods with `@Cron`. */
  cronJobs: CronMetadata[];
}

/**
 * A method that handles jobs.
 *
 * @typeParam T - The payload.
 * @typeParam R - What it returns, stored as the job's `result`.
 * @typeParam Id - The store's own kind of id.
 */
export type WorkerMethods<T = unknown, R = unknown, Id = ObjectId> = (
  job: Job<T, Id>,
  context: JobContext<Id>,
) => R | Promise<R>;
