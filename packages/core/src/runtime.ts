import type { Emit } from './engine/emit.js';
import { Engine } from './engine/engine.js';
import type { EngineParts } from './engine/engine-types.js';
import type { FollowUpParts } from './engine/follow-up/follow-up-parts.js';
import type { Host } from './engine/host.js';
import { ServerClock } from './engine/server-clock.js';
import { WorkerRegistry } from './engine/worker-registry.js';
import { InsertCoalescer } from './intake/insert-coalescer.js';
import type { IntakeParts } from './intake/intake-parts.js';
import type { JobContext } from './job/handler.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { type OutsideStore, surfaceFailures } from './lifecycle/surface-failures.js';
import { BulkActions } from './manage/bulk-actions.js';
import { JobActions } from './manage/job-actions.js';
import type { ManageParts } from './manage/manage-parts.js';
import { Retention } from './manage/retention.js';
import { StatsCache } from './manage/stats-cache.js';
import type { WaitParts } from './manage/wait-for-job.js';
import { WaitRoom } from './manage/wait-room.js';
import type { ResolvedOptions } from './options/resolved-options.js';
import { Recurring } from './recurring/recurring.js';
import type { JobStore } from './store/port.js';

/** The parts of an instance, put together. */
export interface Runtime<Id> extends IntakeParts<Id>, ManageParts<Id>, WaitParts<Id> {
  readonly store: OutsideStore<Id>;
  readonly engine: Engine;
  readonly workers: WorkerRegistry;
  readonly options: ResolvedOptions;
  readonly lifecycle: Lifecycle;
  readonly actions: JobActions<Id>;
  readonly bulk: BulkActions<Id>;
  readonly recurring: Recurring<Id>;
}

/**
 * Puts an instance together. Everything that it takes from the outside world comes in here, so that a simulation
 * can bring a store and a host of its own.
 *
 * @param monque - Handed to handlers as `context.monque`.
 */
export function createRuntime<Id>(
  store: JobStore<Id>,
  options: ResolvedOptions,
  host: Host,
  emit: Emit,
  monque: JobContext<unknown>['monque'],
): Runtime<Id> {
  const waitRoom = new WaitRoom(store, host);
  const observedEmit: Emit = (event, ...payload) => {
    emit(event, ...payload);
    waitRoom.observe(payload);
  };
  const clock = new ServerClock(store, host);
  const workers = new WorkerRegistry();
  const parts: EngineParts = { store, host, clock, options, workers, emit: observedEmit, monque };
  const engine = new Engine(parts);
  const outside = surfaceFailures(store);
  const stats = new StatsCache(outside, host, options.statsCacheTtlMs);
  const followUps: FollowUpParts = {
    store: outside as OutsideStore<unknown>,
    batches: outside.batches,
    host,
    clock,
    emit: observedEmit,
    released: (nextRunAt) => engine.wake(nextRunAt),
  };
  const manage: ManageParts<Id> = { store: outside, clock, engine, emit: observedEmit, stats, followUps };
  const retention = new Retention({ ...parts, followUps });
  const lifecycle = new Lifecycle({ ...parts, engine, waitRoom, retention });
  return {
    ...manage,
    host,
    options,
    workers,
    engine,
    waitRoom,
    coalescer: new InsertCoalescer(store),
    actions: new JobActions(manage),
    bulk: new BulkActions(manage, () => waitRoom.pollSoon()),
    recurring: new Recurring({
      ...manage,
      engine,
      options,
      requireInitialized: () => lifecycle.requireInitialized(),
    }),
    lifecycle,
  };
}
