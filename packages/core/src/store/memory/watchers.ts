import type { Subscription, WatchObserver } from '../watch-types.js';
import { isQueued, type MemoryJob } from './memory-job.js';

/** Tells every subscriber what changed, soon after it did, as a database's stream would. */
export class Watchers {
  readonly #observers = new Set<WatchObserver<string>>();

  watch(observer: WatchObserver<string>): Subscription {
    // Wrapped: the same observer may be subscribed twice, and each subscription ends on its own.
    const own: WatchObserver<string> = {
      due: (nextRunAt, name) => observer.due(nextRunAt, name),
      stopped: (id) => observer.stopped(id),
      lost: (error) => observer.lost(error),
    };
    this.#observers.add(own);
    return {
      close: async () => {
        this.#observers.delete(own);
      },
    };
  }

  /** A job took the place of its previous version; either may be missing. */
  changed(previous: MemoryJob | undefined, next: MemoryJob | undefined): void {
    if (this.#observers.size === 0) return;
    if (isQueued(next) && !waitedForTheSame(previous, next)) {
      this.#tell((observer) => observer.due(new Date(next.nextRunAt), next.name));
    }
    if (
      previous !== undefined &&
      previous.status !== 'cancelled' &&
      (next ?? CANCELLED).status === 'cancelled'
    ) {
      this.#tell((observer) => observer.stopped(previous._id));
    }
  }

  /** Never within the write itself: an observer that writes in turn must find the store at rest. */
  #tell(call: (observer: WatchObserver<string>) => void): void {
    for (const observer of this.#observers) {
      queueMicrotask(() => {
        if (this.#observers.has(observer)) call(observer);
      });
    }
  }
}

/** A job that is gone stops like one that was cancelled. */
const CANCELLED = { status: 'cancelled' } as const;

function waitedForTheSame(previous: MemoryJob | undefined, next: MemoryJob): boolean {
  return isQueued(previous) && previous.nextRunAt.getTime() === next.nextRunAt.getTime();
}
