import type { Engine } from '../engine/engine.js';
import type { WorkerRegistry } from '../engine/worker-registry.js';
import { WorkerRegistrationError } from '../errors/input-errors.js';
import { isJobDefinition, type JobDefinition } from '../job/definition.js';
import { describeValue } from '../job/describe-value.js';
import type { JobHandler } from '../job/handler.js';
import { validateJobName } from '../job/identifiers.js';
import { checkWorkerOptions } from '../options/check-worker-options.js';
import type { ResolvedOptions } from '../options/resolved-options.js';

/** What registering stands on. */
export interface RegisterParts {
  readonly workers: WorkerRegistry;
  readonly options: Pick<ResolvedOptions, 'workerConcurrency'>;
  readonly engine: Pick<Engine, 'lookAgain'>;
}

/** Makes a handler known, under a name or for a definition. */
export function registerWorker(
  { workers, options, engine }: RegisterParts,
  target: string | JobDefinition,
  handler: JobHandler<unknown, unknown, unknown>,
  workerOptions: unknown,
): void {
  const definition = isJobDefinition(target) ? target : undefined;
  const name = definition?.name ?? (target as string);
  validateJobName(name);
  if (typeof handler !== 'function') {
    throw new WorkerRegistrationError(
      `The handler for "${name}" must be a function, not ${describeValue(handler)}`,
      name,
    );
  }
  const { replace = false, ...own } = checkWorkerOptions(workerOptions);
  const concurrency = own.concurrency ?? definition?.concurrency ?? options.workerConcurrency;
  workers.add({ name, handler, concurrency, options: own, ...(definition && { definition }) }, replace);
  // Jobs of the name may be due already: a running engine looks now, not at its next poll.
  engine.lookAgain();
}
