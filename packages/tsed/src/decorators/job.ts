import { addMetadata } from '../metadata/class-metadata.js';
import type { WorkerDecoratorOptions } from '../metadata/worker-store.js';
import type { HandlerDecorator } from './handler-decorator.js';
import { Worker } from './worker.js';
import { WorkerController, type WorkerControllerOptions } from './worker-controller.js';

/** Options of `@Job` on a class: the jobs' name, and those of `@Worker` and of `@WorkerController`. */
export type JobDecoratorOptions = WorkerDecoratorOptions &
  WorkerControllerOptions & {
    /** Name of the jobs that the class handles. */
    name: string;
  };

/** A class that handles jobs of one name. */
type HandlerClass = new (...args: never[]) => { handle(job: never, context: never): unknown };

/**
 * Lets a class with a `handle` method handle the jobs of one name. On a method with a name it is the same as
 * `@Worker`.
 *
 * @example
 * ```ts
 * import type { Job as StoredJob } from '@monque/core';
 * import { Job } from '@monque/tsed';
 *
 * @Job({ name: 'process-order' })
 * class ProcessOrder {
 *   async handle(job: StoredJob<{ orderId: string }>) {
 *     console.log(`Order ${job.data.orderId}`);
 *   }
 * }
 * ```
 */
export function Job(options: JobDecoratorOptions): (target: HandlerClass) => void;
export function Job(name: string, opts?: WorkerDecoratorOptions): HandlerDecorator;
export function Job(
  nameOrOptions: string | JobDecoratorOptions,
  opts?: WorkerDecoratorOptions,
): HandlerDecorator | ((target: HandlerClass) => void) {
  if (typeof nameOrOptions !== 'object' || nameOrOptions === null) return Worker(nameOrOptions, opts);
  const { name, instance, ...workerOptions } = nameOrOptions;
  return (target: HandlerClass) => {
    addMetadata(target, { worker: { name, method: 'handle', opts: workerOptions } });
    WorkerController(undefined, instance === undefined ? {} : { instance })(target);
  };
}
