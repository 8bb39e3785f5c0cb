import { ACTIVE_STATUSES } from '../../job/status.js';
import type { MemoryJob } from './memory-job.js';

/** Which job occupies which unique key: at most one pending or processing job per name and key. */
export class UniqueKeys {
  readonly #holders = new Map<string, string>();

  /** The job that keeps this one from being pending or processing, if any. */
  holderAgainst(job: Pick<MemoryJob, 'name' | 'uniqueKey'> & { _id?: string }): string | undefined {
    if (typeof job.uniqueKey !== 'string') return undefined;
    const holder = this.#holders.get(entryOf(job.name, job.uniqueKey));
    return holder === job._id ? undefined : holder;
  }

  /** A job took the place of its previous version; either may be missing. */
  update(previous: MemoryJob | undefined, next: MemoryJob | undefined): void {
    if (typeof previous?.uniqueKey === 'string' && isActive(previous)) {
      this.#holders.delete(entryOf(previous.name, previous.uniqueKey));
    }
    if (typeof next?.uniqueKey === 'string' && isActive(next)) {
      this.#holders.set(entryOf(next.name, next.uniqueKey), next._id);
    }
  }
}

/** Whether a job in this status occupies its unique key. */
export function isActive(job: Pick<MemoryJob, 'status'>): boolean {
  return (ACTIVE_STATUSES as readonly string[]).includes(job.status);
}

function entryOf(name: string, uniqueKey: string): string {
  return JSON.stringify([name, uniqueKey]);
}
