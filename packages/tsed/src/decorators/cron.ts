import { addMetadata } from '../metadata/class-metadata.js';
import type { CronDecoratorOptions } from '../metadata/worker-store.js';
import { classOfMethod, type HandlerDecorator } from './handler-decorator.js';

/**
 * Lets a method of a `@WorkerController` run by a cron expression, once per occurrence over all processes. The series is
 * stored at start-up, with the job's full name as its unique key unless another one is given; a pattern that has changed
 * takes the place of the stored one.
 *
 * @param pattern - Five fields (minute hour day-of-month month day-of-week) or a predefined name such as `@daily`.
 *
 * @example
 * ```ts
 * import { Cron, WorkerController } from '@monque/tsed';
 *
 * @WorkerController('reports')
 * class ReportController {
 *   @Cron('0 6 * * 1-5', { timezone: 'Europe/Berlin' })
 *   async morningReport() {
 *     console.log('Good morning');
 *   }
 * }
 * ```
 */
export function Cron(pattern: string, opts: CronDecoratorOptions = {}): HandlerDecorator {
  return (target, method) => {
    addMetadata(classOfMethod(target), { cron: { pattern, name: opts.name ?? method, method, opts } });
  };
}
