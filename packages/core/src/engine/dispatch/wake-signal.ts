import type { Host } from '../host.js';

/**
 * Lets a loop sleep until something happens. A notification that comes while nobody waits is kept, so none
 * is lost between a look and the sleep that follows it; several become one.
 */
export class WakeSignal {
  readonly #host: Host;
  #raised = false;
  #wake: (() => void) | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Ends the current wait, or the next one. */
  notify(): void {
    this.#raised = true;
    this.#wake?.();
  }

  /**
   * Resolves at the next notification, or after `ms` milliseconds; Infinity waits for a notification only. Answers
   * whether there was one.
   */
  async wait(ms: number): Promise<boolean> {
    if (!this.#raised && ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = Number.isFinite(ms) ? this.#host.after(ms, resolve, true) : undefined;
        this.#wake = () => {
          timer?.cancel();
          resolve();
        };
      });
      this.#wake = undefined;
    }
    const notified = this.#raised;
    this.#raised = false;
    return notified;
  }
}
