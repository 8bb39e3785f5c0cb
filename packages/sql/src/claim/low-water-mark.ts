/** Jobs seen in a row before a bound pays: fewer leave no trace that a scan would notice. */
const WORTHWHILE = 5_000;
/** Longest time between two looks at everything, in milliseconds, while there is a backlog. */
const LOOK_BACK_MS = 1_000;

/**
 * Where the scan for due jobs may begin.
 *
 * The entry of a job that was claimed stays in the index until the server tidies up, and every later scan walks over it.
 * While there is a backlog, all entries before the first job of the latest answer are such entries: the next scan
 * begins there.
 *
 * Nothing is missed. A retry, or a job that is stored late with an earlier time, lies before the mark; it is found by
 * the look at everything that follows an answer that was not full, and comes at least every second.
 */
export class LowWaterMark {
  #names = '';
  #seen = 0;
  #mark: Date | undefined;
  #lookedBackAt = Number.NEGATIVE_INFINITY;

  /** The earliest time to look at, or undefined to look at everything. */
  from(names: readonly string[], now: Date): Date | undefined {
    if (this.#seen < WORTHWHILE || now.getTime() - this.#lookedBackAt >= LOOK_BACK_MS) return undefined;
    return this.#names === keyOf(names) ? this.#mark : undefined;
  }

  /**
   * Takes note of an answer.
   *
   * @param earliest - The due time of its first job.
   * @param isFull - Whether there is a backlog behind it.
   */
  note(names: readonly string[], count: number, earliest: Date | undefined, isFull: boolean): void {
    const key = keyOf(names);
    // Other names, or the end of the backlog: whatever was known says nothing about what comes next.
    if (this.#names !== key || !isFull) this.#seen = 0;
    this.#names = key;
    this.#seen += count;
    this.#mark = earliest;
  }

  /** Everything was looked at. */
  lookedBack(now: Date): void {
    this.#lookedBackAt = now.getTime();
  }
}

/** Names hold no control characters. */
function keyOf(names: readonly string[]): string {
  return names.join('\n');
}
