import { Injectable } from '@tsed/di';
import { ProviderTypes } from '../constants.js';
import { type AnyClass, addMetadata } from '../metadata/class-metadata.js';

/** Options of `@WorkerController`. */
export interface WorkerControllerOptions {
  /**
   * Id of the Monque instance that runs the jobs, where an application has several.
   *
   * @defaultValue 'default'
   */
  instance?: string;
}

/**
 * Makes a class a controller of jobs: a provider whose methods with `@Worker` and `@Cron` are registered at start-up.
 *
 * @param namespace - Put before the names of all its jobs: `@Worker('send')` in `@WorkerController('email')` handles
 * `email.send`.
 *
 * @example
 * ```ts
 * import type { Job } from '@monque/core';
 * import { Worker, WorkerController } from '@monque/tsed';
 *
 * @WorkerController('email')
 * class EmailController {
 *   @Worker('send', { concurrency: 10 })
 *   async send(job: Job<{ to: string }>) {
 *     console.log(`To ${job.data.to}`);
 *   }
 * }
 * ```
 */
export function WorkerController(
  namespace?: string,
  { instance }: WorkerControllerOptions = {},
): (target: AnyClass) => void {
  return (target) => {
    addMetadata(target, {
      type: 'controller',
      ...(namespace !== undefined && { namespace }),
      ...(instance !== undefined && { instance }),
    });
    Injectable({ type: ProviderTypes.WORKER_CONTROLLER })(target);
  };
}

/** The same as {@link WorkerController}, under the name of Monque's later releases. */
export function JobController(
  namespace?: string,
  options?: WorkerControllerOptions,
): (target: AnyClass) => void {
  return WorkerController(namespace, options);
}
