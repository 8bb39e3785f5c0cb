import type { Host } from '../engine/host.js';
import type { JobStore } from '../store/port.js';
import type { StatusCounts } from '../store/query-types.js';

/** Names remembered at the same time; names come from callers, and memory must not grow with them. */
const MAX_ENTRIES = 1_000;

interface Entry {
  readonly askedAt: number;
  readonly counts: Promise<StatusCounts>;
}

/**
 * Remembers counts for a while, per name. Callers that ask at the same time share one query. Whatever this
 * instance's management calls change clears it: a query that began before must not answer a later question.
 */
export class StatsCache {
  readonly #store: Pick<JobStore, 'counts'>;
  readonly #host: Host;
  readonly #ttl: number;
  readonly #entries = new Map<string | undefined, Entry>();

  /** @param ttl - Milliseconds; 0 for no cache. */
  constructor(store: Pick<JobStore, 'counts'>, host: Host, ttl: number) {
    this.#store = store;
    this.#host = host;
    this.#ttl = ttl;
  }

  /** @param name - Undefined for all names. */
  counts(name: string | undefined): Promise<StatusCounts> {
    if (this.#ttl === 0) return this.#store.counts(name);
    const now = this.#host.monotonic();
    const known = this.#entries.get(name);
    if (known !== undefined && now - known.askedAt < this.#ttl) return known.counts;
    const entry = { askedAt: now, counts: this.#store.counts(name) };
    this.#remember(name, entry);
    // A failure is not worth remembering. The caller gets it; here it only must not go unhandled.
    entry.counts.catch(() => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    });
    return entry.counts;
  }

  clear(): void {
    this.#entries.clear();
  }

  #remember(name: string | undefined, entry: Entry): void {
    // Deleted first, so that the map's order is the order of age.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    if (this.#entries.size <= MAX_ENTRIES) return;
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest);
  }
}
