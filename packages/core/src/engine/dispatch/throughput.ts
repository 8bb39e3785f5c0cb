/** How far ahead of the handlers claims are fetched, in milliseconds of work. */
export const AHEAD_MS = 250;
/** Jobs that take longer than this are not fetched ahead: another process might start them sooner. */
const SLOW_MS = 100;
/** Most jobs fetched ahead for one worker. */
const MOST_AHEAD = 1_000;
/** Weight of the latest run in the moving average. */
const WEIGHT = 0.2;

/** How fast a worker's jobs have been finishing, and so how many to have at hand. */
export class Throughput {
  #averageMs: number | undefined;

  /** Takes note of a run that took `ms` milliseconds. */
  record(ms: number): void {
    this.#averageMs = this.#averageMs === undefined ? ms : this.#averageMs + WEIGHT * (ms - this.#averageMs);
  }

  /** Forgets what was learnt: the jobs have become slower than they were. */
  reset(): void {
    this.#averageMs = undefined;
  }

  /** Jobs to claim beyond the free slots: about a quarter of a second of work, none for slow or unknown jobs. */
  prefetch(concurrency: number): number {
    if (this.#averageMs === undefined || this.#averageMs > SLOW_MS) return 0;
    return Math.min(MOST_AHEAD, Math.floor((concurrency * AHEAD_MS) / Math.max(this.#averageMs, 0.05)));
  }
}
