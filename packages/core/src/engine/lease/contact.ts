import type { Host } from '../host.js';

/**
 * Remembers whether the store has answered without a break. After an outage every lease looks old, also
 * those of living owners, because nobody could renew. So nobody recovers anything until the store has
 * been in reach long enough for the owners to renew what they hold.
 */
export class Contact {
  readonly #host: Host;
  readonly #longestGap: number;
  #last: number;
  #since: number;

  /**
   * @param longestGap - Silence of the store that counts as an outage, in milliseconds; also how long it
   *   must have been back.
   */
  constructor(host: Host, longestGap: number) {
    this.#host = host;
    this.#longestGap = longestGap;
    this.#last = host.monotonic();
    // A process that has just started has seen no outage.
    this.#since = this.#last - longestGap;
  }

  /** The store has answered. */
  record(): void {
    const now = this.#host.monotonic();
    if (now - this.#last > this.#longestGap) this.#since = now;
    this.#last = now;
  }

  /** Whether the store has answered without a break for long enough. */
  get steady(): boolean {
    const now = this.#host.monotonic();
    return now - this.#last <= this.#longestGap && now - this.#since >= this.#longestGap;
  }
}
