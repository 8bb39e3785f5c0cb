import type { Operation } from '../operation.js';
import { byUrgency, type DueJob, takeWithin } from './quota.js';

/** Jobs of each group that are read at first, at least. */
const FEWEST = 16;
/** How many times as many are read of a group of which all were taken. */
const GROWTH = 4;

/** What a claim may take: so many of each name, and so many in all. */
export interface Allowance {
  readonly limits: ReadonlyMap<string, number>;
  readonly total: number;
}

/** How many jobs to read of each of so many groups at first: twice its share. */
export function firstLook(groups: number, total: number): number {
  return Math.max(FEWEST, Math.ceil((2 * total) / groups));
}

/**
 * Reads the most urgent due jobs of several groups. Any group might have all of them, so that as many as are wanted in
 * all would have to be read of each; with 200 names that is 200 times too many. So a little more than its share is read
 * of each, and more only of one whose jobs would all be taken.
 *
 * @param most - How many of a group are of interest at all.
 * @param read - Reads so many of a group, the most urgent first.
 */
export function* mostUrgent<Group, T extends DueJob>(
  groups: readonly Group[],
  { limits, total }: Allowance,
  most: (group: Group) => number,
  read: (group: Group, count: number) => Operation<T[]>,
): Operation<T[]> {
  const looks = groups.map((group) => ({ group, most: most(group), asked: 0, found: [] as T[] }));
  let open = looks;
  for (let count = firstLook(groups.length, total); ; count *= GROWTH) {
    for (const look of open) {
      look.asked = Math.min(look.most, count);
      look.found = yield* read(look.group, look.asked);
    }
    const due = looks.flatMap(({ found }) => found);
    if (looks.length > 1) due.sort(byUrgency);
    const taken = new Set<T | undefined>(takeWithin(due, limits, total));
    // Where the last one would not be taken, those behind it would not be either.
    open = open.filter(
      (look) => look.asked < look.most && look.found.length >= look.asked && taken.has(look.found.at(-1)),
    );
    if (open.length === 0) return due;
  }
}
