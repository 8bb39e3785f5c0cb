import type { Host, Timer } from '../host.js';

/** Does something again and again, never twice at the same time. */
export class Repeater {
  readonly #host: Host;
  readonly #interval: number;
  readonly #jitter: number;
  /** Must not reject. */
  readonly #action: () => Promise<void>;
  #timer: Timer | undefined;
  #started = false;
  #next: number | undefined;

  /**
   * @param interval - Milliseconds from the end of one action to the begin of the next.
   * @param jitter - Share of the interval by which it is moved at random in either direction.
   */
  constructor(host: Host, interval: number, jitter: number, action: () => Promise<void>) {
    this.#host = host;
    this.#interval = interval;
    this.#jitter = jitter;
    this.#action = action;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#arm();
  }

  stop(): void {
    this.#started = false;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Called from within the action: lets the next one come after `ms` instead of the interval. */
  soon(ms: number): void {
    this.#next = ms;
  }

  #arm(): void {
    const spread = 1 + this.#jitter * (2 * this.#host.random() - 1);
    const delay = this.#next ?? this.#interval * spread;
    this.#next = undefined;
    this.#timer = this.#host.after(
      delay,
      async () => {
        this.#timer = undefined;
        await this.#action();
        // Stopped while the action ran, and perhaps started again with a timer of its own.
        if (this.#started && this.#timer === undefined) this.#arm();
      },
      false,
    );
  }
}
