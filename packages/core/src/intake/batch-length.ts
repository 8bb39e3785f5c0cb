/** Most payload of one insert, in bytes; a single job may take more. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Something that takes room in an insert. */
export interface Sized {
  /** Room that it takes at most. */
  readonly bytes: number;
}

/** How many items from `start` on one insert may carry: at least one, at most `maxJobs`, and together 8 MB. */
export function batchLength(items: readonly Sized[], start: number, maxJobs: number): number {
  const end = Math.min(items.length, start + maxJobs);
  let bytes = 0;
  for (let index = start; index < end; index++) {
    bytes += items[index]?.bytes ?? 0;
    if (bytes > MAX_BYTES && index > start) return index - start;
  }
  return end - start;
}
