import { WAITING_STATUSES } from '../../job/status.js';
import type { JobFilter } from '../query-types.js';
import type { MemoryJob } from './memory-job.js';

/** Which jobs follow which job, which belong to which batch, and which wait. */
export class JobLinks {
  readonly #byParent = new Map<string, Set<string>>();
  readonly #byBatch = new Map<string, Set<string>>();
  readonly #waiting = new Set<string>();

  /** Ids of the jobs that follow this one. */
  childrenOf(id: string): readonly string[] {
    return [...(this.#byParent.get(id) ?? [])];
  }

  /** Ids among which all jobs of a filter are; undefined where nothing narrows them. */
  among(filter: JobFilter): Iterable<string> | undefined {
    if (filter.ids !== undefined) return new Set(filter.ids as readonly string[]);
    if (filter.parents !== undefined)
      return new Set((filter.parents as readonly string[]).flatMap((id) => this.childrenOf(id)));
    const batch = filter.memberOf ?? filter.awaitsBatch;
    if (batch !== undefined) return this.#byBatch.get(batch) ?? [];
    return filter.statuses?.every(isWaitingStatus) ? this.#waiting : undefined;
  }

  /** A job took the place of its previous version; either may be missing. */
  update(previous: MemoryJob | undefined, next: MemoryJob | undefined): void {
    const id = (next ?? previous)?._id;
    if (id === undefined) return;
    move(this.#byParent, previous?.parentJobId, next?.parentJobId, id);
    move(this.#byBatch, previous?.batchId, next?.batchId, id);
    if (next !== undefined && isWaiting(next)) this.#waiting.add(id);
    else this.#waiting.delete(id);
  }
}

/** Whether a job waits for others to end. */
export function isWaiting({ status }: Pick<MemoryJob, 'status'>): boolean {
  return isWaitingStatus(status);
}

function isWaitingStatus(status: string): boolean {
  return (WAITING_STATUSES as readonly string[]).includes(status);
}

function move(
  index: Map<string, Set<string>>,
  from: string | undefined,
  to: string | undefined,
  id: string,
): void {
  if (from === to) return;
  if (from !== undefined) {
    const others = index.get(from);
    others?.delete(id);
    if (others?.size === 0) index.delete(from);
  }
  if (to === undefined) return;
  const others = index.get(to);
  if (others === undefined) index.set(to, new Set([id]));
  else others.add(id);
}
