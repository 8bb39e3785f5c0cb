import { addMetadata } from '../metadata/class-metadata.js';
import type { WorkerDecoratorOptions } from '../metadata/worker-store.js';
import { classOfMethod, type HandlerDecorator } from './handler-decorator.js';

/**
 * Lets a method of a `@WorkerController` handle the jobs of one name.
 *
 * @param name - Without the controller's namespace.
 *
 * @example
 * ```ts
 * import type { Job, JobContext } from '@monque/core';
 * import { Worker, WorkerController } from '@monque/tsed';
 *
 * @WorkerController('images')
 * class ImageController {
 *   @Worker('resize', { timeout: 30_000 })
 *   async resize(job: Job<{ url: string }>, { signal }: JobContext) {
 *     await fetch(job.data.url, { signal });
 *   }
 * }
 * ```
 */
export function Worker(name: string, opts: WorkerDecoratorOptions = {}): HandlerDecorator {
  return (target, method) => addMetadata(classOfMethod(target), { worker: { name, method, opts } });
}
