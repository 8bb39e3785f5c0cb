import { type Host, pause } from '../host.js';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** Waits a little longer each time, with jitter, so that many processes do not come back at the same moment. */
export class GrowingDelay {
  readonly #host: Host;
  #next = FIRST_MS;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Begins again with the shortest wait. */
  reset(): void {
    this.#next = FIRST_MS;
  }

  /** @param keepAlive - Whether the wait keeps the process from ending by itself. */
  async wait(signal: AbortSignal = new AbortController().signal, keepAlive = false): Promise<void> {
    const ms = this.#next * (0.5 + this.#host.random() / 2);
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    await pause(this.#host, ms, signal, keepAlive);
  }
}
