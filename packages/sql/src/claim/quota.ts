import type { Want } from '@monque/core';

/** A due job that may be taken. */
export interface DueJob {
  readonly name: string;
  readonly rank: number;
  /** Its due time, in a form whose order is that of time. */
  readonly at: string;
}

/** Higher priority first, then the one that is due for longer. */
export function byUrgency(one: DueJob, other: DueJob): number {
  if (one.rank !== other.rank) return other.rank - one.rank;
  return one.at < other.at ? -1 : one.at > other.at ? 1 : 0;
}

/** How many of each name are wanted; a name that is wanted twice is wanted in both numbers. */
export function limitsOf(wants: readonly Want[]): Map<string, number> {
  const limits = new Map<string, number>();
  for (const { name, limit } of wants) {
    if (limit > 0) limits.set(name, (limits.get(name) ?? 0) + limit);
  }
  return limits;
}

/**
 * Takes the most urgent jobs that the limits allow.
 *
 * @param due - In the order of urgency.
 */
export function takeWithin<T extends DueJob>(
  due: readonly T[],
  limits: ReadonlyMap<string, number>,
  total: number,
): T[] {
  const left = new Map(limits);
  const taken: T[] = [];
  for (const job of due) {
    if (taken.length >= total) break;
    const allowed = left.get(job.name) ?? 0;
    if (allowed === 0) continue;
    left.set(job.name, allowed - 1);
    taken.push(job);
  }
  return taken;
}
