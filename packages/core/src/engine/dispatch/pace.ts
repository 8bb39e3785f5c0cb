/** Shortest time over which a pace is measured, in milliseconds. */
const WINDOW_MS = 100;
/** A pause in which nothing ended for this long says nothing about how fast things go, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * How many runs end in this process, whatever their names. Workers that are fast one by one share one event loop: what
 * all of them fetch ahead together must not be more than the process gets through.
 */
export class Pace {
  #since = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #count = 0;
  #perMs = Number.POSITIVE_INFINITY;

  /** A run has ended. */
  record(now: number): void {
    if (now - this.#last > PAUSE_MS) this.#begin(now);
    this.#last = now;
    this.#count++;
    const elapsed = now - this.#since;
    if (elapsed < WINDOW_MS) return;
    this.#perMs = this.#count / elapsed;
    this.#begin(now);
  }

  /** Runs that end within this many milliseconds at the latest pace; Infinity while none is known. */
  within(ms: number): number {
    return Math.floor(this.#perMs * ms);
  }

  #begin(now: number): void {
    this.#since = now;
    this.#count = 0;
  }
}
