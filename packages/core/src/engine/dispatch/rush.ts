/** How long a rush must last to count as one, in milliseconds. */
const WINDOW_MS = 500;
/** Jobs per millisecond from which on it is one. */
const RATE = 1;

/** Whether claims come back full, one after the other, and bring more than a thousand jobs a second. */
export class Rush {
  #since: number | undefined;
  #count = 0;
  #on = false;

  /**
   * Takes note of a claim; answers whether there is a rush.
   *
   * @param more - Whether the store has more that is due.
   * @param now - Monotonic time, in milliseconds.
   */
  note(count: number, more: boolean, now: number): boolean {
    if (!more) {
      this.#since = undefined;
      this.#on = false;
      return false;
    }
    if (this.#since === undefined) this.#begin(now);
    this.#count += count;
    const elapsed = now - (this.#since ?? now);
    if (elapsed >= WINDOW_MS) {
      this.#on = this.#count >= elapsed * RATE;
      this.#begin(now);
    }
    return this.#on;
  }

  #begin(now: number): void {
    this.#since = now;
    this.#count = 0;
  }
}
