import type { ClaimResult } from '../../store/claim-types.js';
import type { EngineParts } from '../engine-types.js';
import { Run } from '../execute/run.js';
import type { Wanted } from './slots.js';

/** Most jobs of one claim: a larger one would keep its first jobs waiting for its last. */
const LARGEST_CLAIM = 1_000;

/** Runs that a claim brought, and whether the store may have more that is due. */
export interface Claimed {
  readonly runs: Run[];
  readonly more: boolean;
}

/**
 * Asks the store for due jobs. Where the process as a whole has less room than its workers together, a name
 * that got nothing is owed one job, and asked for without the others next time, so that a busy name never starves
 * another. Not while jobs with a priority are taken: those are meant to go first.
 */
export class Claimer {
  readonly #parts: EngineParts;
  readonly #owed = new Set<string>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async claim(wanted: Wanted, now = this.#parts.clock.now()): Promise<Claimed> {
    const owed = wanted.wants.filter(({ name }) => this.#owed.has(name));
    const wants = owed.length > 0 ? owed.map(({ name }) => ({ name, limit: 1 })) : wanted.wants;
    const total = Math.min(wanted.total, owed.length > 0 ? owed.length : LARGEST_CLAIM);
    const { options, host, store } = this.#parts;
    const token = host.uniqueText();
    const result = await store.claim({
      owner: options.schedulerInstanceId,
      token,
      wants,
      total,
      now,
      heartbeatInterval: options.heartbeatInterval,
    });
    if (owed.length > 0 || result.jobs.length < total) this.#owed.clear();
    else this.#owe(wanted, result);
    const arrived = host.monotonic();
    const runs: Run[] = [];
    for (const job of result.jobs) {
      const worker = this.#parts.workers.get(job.name);
      if (worker !== undefined) runs.push(new Run(job, token, worker, arrived));
    }
    return { runs, more: result.more || owed.length > 0 };
  }

  #owe({ wants }: Wanted, { jobs }: ClaimResult): void {
    if (jobs.some(({ priority }) => (priority ?? 0) > 0)) return;
    const served = new Set(jobs.map(({ name }) => name));
    for (const { name } of wants) if (!served.has(name)) this.#owed.add(name);
  }
}
