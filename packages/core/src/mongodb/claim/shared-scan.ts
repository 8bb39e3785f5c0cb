import type { JobDocument } from '../documents/job-document.js';

/** Names from which on the server takes notably longer to merge a scan for each than to read what it returns. */
const MANY_NAMES = 32;
/** Looks for which something that was in vain is left alone. */
const MEMORY = 64;

/** A short cut that is not tried again for a while after it led nowhere. */
class ShortCut {
  #looksLeft = 0;

  isDue(): boolean {
    if (this.#looksLeft === 0) return true;
    this.#looksLeft -= 1;
    return false;
  }

  failed(): void {
    this.#looksLeft = MEMORY;
  }
}

/**
 * One scan over everything that is due, in place of one for each of many names. Where a process handles nearly all names,
 * it finds the same jobs, and reads no more of them than it was asked for. Where jobs of other names lie in between, or
 * jobs with a priority, it does not tell what waits behind them. Only tried while there is a backlog: a scan for each name
 * passes over nothing that others have left there or have just taken.
 */
export class SharedScan {
  readonly #scan = new ShortCut();
  readonly #question = new ShortCut();
  #hasBacklog = false;

  /** Takes note of a look for plain jobs: whether it found as many as it asked for. */
  note(isFull: boolean): void {
    this.#hasBacklog = isFull;
  }

  /** Whether to try it for this look. */
  isDue(names: readonly string[]): boolean {
    return this.#isWorthwhile(names) && this.#scan.isDue();
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
    this.#scan.failed();
    return undefined;
  }

  /** Whether to ask if any job has a priority, before they are looked for under each name. */
  isQuestionDue(names: readonly string[]): boolean {
    return this.#isWorthwhile(names) && this.#question.isDue();
  }

  /** Takes note of the answer: where somebody uses priorities, asking only costs a round trip more. */
  answered(isAny: boolean): void {
    if (isAny) this.#question.failed();
  }

  #isWorthwhile(names: readonly string[]): boolean {
    return this.#hasBacklog && names.length >= MANY_NAMES;
  }
}
