/** Key under which the decorators keep their metadata in a class's `Store`. */
export const MONQUE = Symbol.for('monque');

/** Types of the providers that this package registers, by which they are found at start-up. */
export const ProviderTypes = {
  WORKER_CONTROLLER: 'monque:worker-controller',
  CRON: 'monque:cron',
} as const;

/**
 * Token of the job that runs: for `@Inject(MONQUE_JOB)` in REQUEST-scoped classes, and anywhere in a run for
 * `context().get(MONQUE_JOB)`.
 *
 * @example
 * ```ts
 * import type { PersistedJob } from '@monque/core';
 * import { MONQUE_JOB } from '@monque/tsed';
 * import { Inject, Injectable, ProviderScope, Scope } from '@tsed/di';
 *
 * @Injectable()
 * @Scope(ProviderScope.REQUEST)
 * class AuditTrail {
 *   constructor(@Inject(MONQUE_JOB) readonly job: PersistedJob) {}
 * }
 * ```
 */
export const MONQUE_JOB = 'MONQUE_JOB';

/** Token of what a handler gets beside its job: signal, attempt, progress, log. To be used like `MONQUE_JOB`. */
export const MONQUE_JOB_CONTEXT = 'MONQUE_JOB_CONTEXT';

/** The id of an instance that was given none. */
export const DEFAULT_INSTANCE = 'default';
