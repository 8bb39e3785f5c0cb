import { DEFAULT_INSTANCE } from '../constants.js';
import { buildJobName } from './build-job-name.js';
import { type AnyClass, lineageOf, ownMetadata } from './class-metadata.js';
import type { CronMetadata, WorkerMetadata } from './worker-store.js';

interface CollectedHandler {
  /** Name of the jobs, with the controller's namespace. */
  readonly fullName: string;
  /** Id of the instance that runs them. */
  readonly instance: string;
}

/** A decorated method of a controller, under the full name of its jobs. */
export type JobMetadata = CollectedHandler &
  (({ readonly kind: 'worker' } & WorkerMetadata) | ({ readonly kind: 'cron' } & CronMetadata));

/**
 * All handlers of a controller, its own and those of its ancestors. A method that is decorated again in a subclass is
 * taken as it is there; one that is only overridden keeps its decorators. Namespace and instance are the class's own.
 */
export function collectJobMetadata(target: AnyClass): JobMetadata[] {
  const { namespace, instance = DEFAULT_INSTANCE } = ownMetadata(target);
  const decorated = new Set<string>();
  return lineageOf(target).flatMap((each) => {
    const { workers, cronJobs } = ownMetadata(each);
    const handlers = [
      ...workers.map((worker) => ({ kind: 'worker', ...worker }) as const),
      ...cronJobs.map((cron) => ({ kind: 'cron', ...cron }) as const),
    ].filter(({ method }) => !decorated.has(method));
    for (const { method } of handlers) decorated.add(method);
    return handlers.map((handler) => ({
      ...handler,
      fullName: buildJobName(namespace, handler.name),
      instance,
    }));
  });
}
