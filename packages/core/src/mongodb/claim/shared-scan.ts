import type { JobDocument } from '../documents/job-document.js';

/** Names from which on the server takes notably longer to merge a scan for each than to read what it returns. */
const MANY_NAMES = 32;
/** Looks for which it is remembered that others' jobs lie in between. */
const MEMORY = 64;

/** Whether these are so many names that one scan for all of them is worth a try. */
export function areMany(names: readonly string[]): boolean {
  return names.length >= MANY_NAMES;
}

/**
 * One scan over everything that is due, in place of one for each name. Where a process handles nearly all names, it finds
 * the same jobs, and reads no more of them than it was asked for. Where jobs of other names lie in between, or jobs
 * with a priority, it does not tell what waits behind them: then it is left alone for a while.
 */
export class SharedScan {
  #looksLeft = 0;

  /** Whether to try it for this look. */
  isDue(names: readonly string[]): boolean {
    if (!areMany(names)) return false;
    if (this.#looksLeft === 0) return true;
    this.#looksLeft -= 1;
    return false;
  }

  /**
   * The plain jobs of these names in its answer, or undefined where that does not tell which ones are due first.
   *
   * @param limit - How many jobs were asked for.
   */
  choose(
    documents: readonly JobDocument[],
    names: readonly string[],
    limit: number,
  ): JobDocument[] | undefined {
    const wanted = new Set(names);
    const chosen = documents.filter(({ name, priority }) => wanted.has(name) && (priority ?? null) === null);
    if (chosen.length === documents.length || documents.length < limit) return chosen;
    this.#looksLeft = MEMORY;
    return undefined;
  }
}
