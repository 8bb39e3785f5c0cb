/** How long operations may follow each other before the event loop gets its turn, in milliseconds. */
const LONGEST_SPELL_MS = 10;

/**
 * Lets the event loop turn now and then. SQLite answers at once, so that whoever awaits one operation after the other
 * never leaves the microtasks: retention over a million jobs would keep heartbeats waiting until others take the jobs of
 * this process for abandoned. A turn per operation would cost more than the operation.
 */
export class LoopTurns {
  #spent = 0;
  #turn: Promise<void> | undefined;

  /** Runs work, and counts the time that it takes. */
  measure<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      this.#spent += performance.now() - began;
      if (this.#spent >= LONGEST_SPELL_MS) this.#turn ??= this.#next();
    }
  }

  /** Whether the loop is to turn before the next operation. */
  get isDue(): boolean {
    return this.#turn !== undefined;
  }

  /** Resolves when it has turned. Of several who wait, the first may use up all the time, and the others wait again. */
  async wait(): Promise<void> {
    while (this.#turn !== undefined) await this.#turn;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#spent = 0;
        this.#turn = undefined;
        resolve();
      });
    });
  }
}
