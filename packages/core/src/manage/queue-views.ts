import type { Engine } from '../engine/engine.js';
import type { WorkerRegistry } from '../engine/worker-registry.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import { type QueueStats, toQueueStats } from './stats.js';

/** The worker of a name in this process. */
export interface QueueViewWorkerSummary {
  /** Jobs that it runs at the same time. */
  readonly concurrency: number;
  /** Jobs that it runs right now. */
  readonly activeCount: number;
}

/** What is known of one job name: its stored jobs, and its worker in this process. */
export interface QueueViewSummary {
  /** The job name. */
  readonly name: string;
  /** Whether any job of the name is stored. */
  readonly hasPersistedJobs: boolean;
  /** Whether this process has a worker for it. */
  readonly hasRegisteredWorker: boolean;
  /** Jobs by status. */
  readonly stats: Readonly<QueueStats>;
  /** The worker of this process, or null. */
  readonly worker: QueueViewWorkerSummary | null;
}

/** One summary for every stored or registered name, sorted by name. */
export async function getQueueViews(
  store: Pick<OutsideStore<unknown>, 'countsByName'>,
  workers: WorkerRegistry,
  engine: Pick<Engine, 'activeCount'>,
): Promise<readonly QueueViewSummary[]> {
  const counts = await store.countsByName();
  const names = [...new Set([...counts.keys(), ...workers.names])].sort();
  const views = names.map((name): QueueViewSummary => {
    const stored = counts.get(name);
    const worker = workers.get(name);
    return Object.freeze({
      name,
      hasPersistedJobs: stored !== undefined,
      hasRegisteredWorker: worker !== undefined,
      stats: Object.freeze(toQueueStats(stored ?? { byStatus: {} })),
      worker:
        worker === undefined
          ? null
          : Object.freeze({ concurrency: worker.concurrency, activeCount: engine.activeCount(name) }),
    });
  });
  return Object.freeze(views);
}
