import { keyOfNames } from '../job/key-of-names.js';

/** Jobs seen in a row before a bound pays: fewer leave no trace that a scan would notice. */
const WORTHWHILE = 5_000;
/** Most jobs that are counted, so that a backlog of other names takes over before long. */
const MOST_SEEN = 20_000;
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
 * mark.note(['send-email'], { count: 500, earliest: now, isFull: true });
 * mark.lookedBack(['send-email'], now);
 * ```
 */
export class LowWaterMark {
  #names = '';
  #seen = 0;
  /** In milliseconds: the date that it came with is a job's, and may be changed. */
  #mark: number | undefined;
  #lookedBackAt = Number.NEGATIVE_INFINITY;

  /** The earliest time to look at, or undefined to look at everything. */
  from(names: readonly string[], now: Date): Date | undefined {
    if (this.#seen < WORTHWHILE || now.getTime() - this.#lookedBackAt >= LOOK_BACK_MS) return undefined;
    if (this.#mark === undefined || this.#names !== keyOfNames(names)) return undefined;
    return new Date(this.#mark);
  }

  /** Takes note of an answer. */
  note(names: readonly string[], { count, earliest, isFull }: DueAnswer): void {
    const key = keyOfNames(names);
    if (this.#names !== key) {
      // A claim for a few other names in between changes nothing; what goes on for as long takes over.
      this.#seen -= count;
      if (this.#seen > 0) return;
      this.#names = key;
      this.#seen = 0;
      this.#lookedBackAt = Number.NEGATIVE_INFINITY;
    }
    // The end of the backlog: whatever was known says nothing about what comes next.
    if (!isFull) this.#seen = 0;
    this.#seen = Math.min(this.#seen + count, MOST_SEEN);
    this.#mark = earliest?.getTime();
  }

  /** Everything of these names was looked at. */
  lookedBack(names: readonly string[], now: Date): void {
    if (this.#names === keyOfNames(names)) this.#lookedBackAt = now.getTime();
  }
}
