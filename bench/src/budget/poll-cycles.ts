import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { kindOf } from './operation-kind.js';

/** Commands per poll beyond which there is no telling polls apart any more: nobody waits between them. */
const CEASELESS = 100;

/**
 * Tells polls apart by the silence between them, whatever a poll consists of. A process that is held up in the middle
 * of one makes two of it, so a busy machine never makes a poll look more expensive than it is.
 */
export class PollCycles {
  readonly #client: MongoClient;
  readonly #silenceMs: number;
  readonly #open = new Set<number>();
  #latest = Number.NEGATIVE_INFINITY;
  #seen = 0;
  #commands = 0;
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;

  /** @param pollMs - Milliseconds from one poll to the next. */
  constructor(client: MongoClient, pollMs: number) {
    this.#client = client;
    this.#silenceMs = pollMs / 2;
    client.on('commandStarted', this.#started);
    client.on('commandSucceeded', this.#ended);
    client.on('commandFailed', this.#ended);
  }

  get seen(): number {
    return this.#seen;
  }

  /** Resolves when so many have begun, or when there are far too many commands for them. */
  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count, resolve };
    });
  }

  end(): void {
    this.#client.off('commandStarted', this.#started);
    this.#client.off('commandSucceeded', this.#ended);
    this.#client.off('commandFailed', this.#ended);
  }

  readonly #started = ({ requestId, command }: CommandStartedEvent): void => {
    // The answer of a change stream stays out until something changes, and templates have a poll of their own.
    const kind = kindOf(command);
    if (kind === 'stream' || kind === 'recurring') return;
    const now = performance.now();
    if (this.#open.size === 0 && now - this.#latest > this.#silenceMs) this.#seen++;
    this.#latest = now;
    this.#commands++;
    this.#open.add(requestId);
    const { count, resolve } = this.#waiting ?? {};
    if (count !== undefined && (this.#seen >= count || this.#commands >= CEASELESS * count)) resolve?.();
  };

  readonly #ended = ({ requestId }: { requestId: number }): void => {
    if (this.#open.delete(requestId)) this.#latest = performance.now();
  };
}
