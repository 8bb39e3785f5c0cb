import type { ClaimRequest, Want } from '../../store/claim-types.js';
import type { EngineParts } from '../engine-types.js';
import { Run } from '../execute/run.js';
import type { Wanted } from './slots.js';

/** Most jobs of one claim: a larger one would keep its first jobs waiting for its last. */
const LARGEST_CLAIM = 1_000;
/** Most names of a claim that is for those that were passed over: each may take a look of its own. */
const MOST_OWED = 16;
/** Full claims in a row that pass a name over until it is owed a job. A single one only tells that its jobs were ahead of others'. */
const OWED_AFTER = 2;

/** Runs that a claim brought, and whether the store may have more that is due. */
export interface Claimed {
  readonly runs: Run[];
  readonly more: boolean;
}

/**
 * Asks the store for due jobs. Where the process as a whole has less room than its workers together, a name
 * that got nothing twice is owed one job. Every other claim is for such names, those that have waited longest, so that a
 * busy name never starves another. Not while jobs with a priority are taken: those are meant to go first.
 */
export class Claimer {
  readonly #parts: EngineParts;
  /** Who was passed over, and how often, in the order in which that began. */
  readonly #passedOver = new Map<string, number>();
  #isTurnOfOwed = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async claim(wanted: Wanted, now = this.#parts.clock.now()): Promise<Claimed> {
    const owed = this.#isTurnOfOwed ? this.#owed(wanted) : [];
    this.#isTurnOfOwed = owed.length === 0;
    if (owed.length > 0) {
      const wants = owed.map((name) => ({ name, limit: 1 }));
      const total = Math.min(wanted.total, owed.length);
      const { runs } = await this.#ask({ wants, total }, now);
      // Where there was room for more, the others have nothing; else they keep their places.
      const answered = runs.length < total ? owed : runs.map(({ job }) => job.name);
      for (const name of answered) this.#passedOver.delete(name);
      if (runs.length > 0) return { runs, more: true };
    }
    const total = Math.min(wanted.total, LARGEST_CLAIM);
    const claimed = await this.#ask({ wants: wanted.wants, total }, now);
    this.#notePassedOver(wanted.wants, claimed, total);
    return claimed;
  }

  async #ask(request: Pick<ClaimRequest, 'wants' | 'total'>, now: Date): Promise<Claimed> {
    const { options, host, store, workers } = this.#parts;
    const token = host.uniqueText();
    const { jobs, more } = await store.claim({
      owner: options.schedulerInstanceId,
      token,
      ...request,
      now,
      heartbeatInterval: options.heartbeatInterval,
    });
    const arrived = host.monotonic();
    const runs: Run[] = [];
    for (const job of jobs) {
      const worker = workers.get(job.name);
      if (worker !== undefined) runs.push(new Run(job, token, worker, arrived));
    }
    return { runs, more };
  }

  #owed({ wants }: Wanted): string[] {
    if (this.#passedOver.size === 0) return [];
    const wanted = new Set(wants.map(({ name }) => name));
    return [...this.#passedOver]
      .flatMap(([name, times]) => (times >= OWED_AFTER && wanted.has(name) ? [name] : []))
      .slice(0, MOST_OWED);
  }

  #notePassedOver(wants: readonly Want[], { runs, more }: Claimed, total: number): void {
    const isFull = runs.length >= total;
    // Everything that was due is here, or goes first.
    if ((!isFull && !more) || runs.some(({ job }) => (job.priority ?? 0) > 0)) {
      this.#passedOver.clear();
      return;
    }
    const served = new Set(runs.map(({ job }) => job.name));
    for (const name of served) this.#passedOver.delete(name);
    // A claim that is short because others were faster says nothing about those that got nothing.
    if (!isFull) return;
    for (const { name } of wants) {
      if (!served.has(name)) this.#passedOver.set(name, (this.#passedOver.get(name) ?? 0) + 1);
    }
  }
}
