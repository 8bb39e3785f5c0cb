import { keyOfNames } from '../job/key-of-names.js';

/** Jobs seen in a row before a bound pays: fewer leave no trace that a scan would notice. */
const WORTHWHILE = 5_000;
/** Longest time between two looks at everything, in milliseconds, while there is a backlog. */
const LOOK_BACK_MS = 1_000;

/** What a store found when it looked for due jobs. */
export interface DueAnswer {
  /** Jobs in it. */
  readonly count: number;
  /** The due time of its first job. */
  readonly earliest: Date | undefined;
  /** Whether it is as long as was asked for, so that there is a backlog behind it. */
  readonly isFull: boolean;
}

/**
 * Where a store's scan for due jobs may begin.
 *
 * A key that was claimed away stays at the head of the index for minutes, as a deleted one, because the server keeps
 * history or has not tidied up; every later scan walks over it, and a hundred thousand of them cost more than the claim.
 * While there is a backlog, all keys before the first job of the latest answer are such keys: the next scan begins there.
 *
 * Nothing is missed. A retry, or a job that is stored late with an earlier time, lies before the mark; it is found by
 * the look at everything that follows an answer that was not full, and comes at least every second.
 *
 * @example
 * ```ts
 * import { LowWaterMark } from '@monque/core';
 *
 * const mark = new LowWaterMark();
 * const now = new Date();
 * const from = mark.from(['send-email'], now); // undefined: look at everything
 * mark.lookedBack(now);
 * mark.note(['send-email'], { count: 500, earliest: now, isFull: true });
 * ```
 */
export class LowWaterMark {
  #names = '';
  #seen = 0;
  #mark: Date | undefined;
  #lookedBackAt = Number.NEGATIVE_INFINITY;

  /** The earliest time to look at, or undefined to look at everything. */
  from(names: readonly string[], now: Date): Date | undefined {
    if (this.#seen < WORTHWHILE || now.getTime() - this.#lookedBackAt >= LOOK_BACK_MS) return undefined;
    return this.#names === keyOfNames(names) ? this.#mark : undefined;
  }

  /** Takes note of an answer. */
  note(names: readonly string[], { count, earliest, isFull }: DueAnswer): void {
    const key = keyOfNames(names);
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
