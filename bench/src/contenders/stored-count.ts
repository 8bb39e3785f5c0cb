import { monotonic } from '../measure/monotonic.js';

/** Counts outcomes that a system has told to be stored, and remembers when the latest was. */
export class StoredCount {
  #count = 0;
  #latest = 0;
  #waiting: { readonly count: number; readonly resolve: (at: number) => void } | undefined;

  /** Called by the system's own event, which it fires after the write. */
  add(): void {
    this.#count++;
    this.#latest = monotonic();
    if (this.#waiting !== undefined && this.#count >= this.#waiting.count)
      this.#waiting.resolve(this.#latest);
  }

  /** Resolves with the time at which so many were stored. */
  reached(count: number): Promise<number> {
    if (this.#count >= count) return Promise.resolve(this.#latest);
    return new Promise((resolve) => {
      this.#waiting = { count, resolve };
    });
  }
}
