import type { CommandStartedEvent, CommandSucceededEvent, Document, MongoClient } from 'mongodb';
import type { ClaimCount } from '../contender.js';

/**
 * Counts claims on the wire: an update that sets jobs to processing names the ids that were seen as free, and its
 * answer says how many of them still were. The difference went to other processes.
 */
export class ClaimCounter {
  #asked = 0;
  #won = 0;
  /** Ids asked for by claims that have not been answered yet, by request. */
  readonly #open = new Map<number, number>();

  constructor(client: MongoClient) {
    client.on('commandStarted', (event) => this.#started(event));
    client.on('commandSucceeded', (event) => this.#succeeded(event));
    client.on('commandFailed', ({ requestId }) => this.#open.delete(requestId));
  }

  get count(): ClaimCount {
    return { asked: this.#asked, lost: this.#asked - this.#won };
  }

  #started({ requestId, command }: CommandStartedEvent): void {
    const updates: Document[] = command.update === undefined ? [] : (command.updates ?? []);
    const asked = updates
      .filter(({ u }) => u?.$set?.status === 'processing')
      .reduce((sum, { q }) => sum + (q?._id?.$in?.length ?? 1), 0);
    if (asked > 0) this.#open.set(requestId, asked);
  }

  #succeeded({ requestId, reply }: CommandSucceededEvent): void {
    const asked = this.#open.get(requestId);
    if (asked === undefined) return;
    this.#open.delete(requestId);
    this.#asked += asked;
    this.#won += (reply as { n?: number } | undefined)?.n ?? 0;
  }
}
