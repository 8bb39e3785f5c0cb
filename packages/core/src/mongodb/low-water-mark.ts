import { keyOfNames } from '../job/key-of-names.js';
import type { JobDocument } from './job-document.js';

/** Jobs seen in a row before a bound pays: fewer leave no trace that a scan would notice. */
const WORTHWHILE = 5_000;
/** Longest time between two looks at everything, in milliseconds, while there is a backlog. */
const LOOK_BACK_MS = 1_000;

/**
 * Where the scan for due jobs may begin.
 *
 * A key that was claimed away stays at the head of the index for minutes, as a deleted one, because the server keeps
 * history; every later scan walks over it, and a hundred thousand of them cost more than the claim. While there is a
 * backlog, all keys before the first job of the latest answer are such keys: the next scan begins there.
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
    return this.#names === keyOfNames(names) ? this.#mark : undefined;
  }

  /** Takes note of an answer; a full one means that there is a backlog behind it. */
  note(names: readonly string[], documents: readonly JobDocument[], isFull: boolean): void {
    const key = keyOfNames(names);
    // Other names, or the end of the backlog: whatever was known says nothing about what comes next.
    if (this.#names !== key || !isFull) this.#seen = 0;
    this.#names = key;
    this.#seen += documents.length;
    this.#mark = documents[0]?.nextRunAt;
  }

  /** Everything was looked at. */
  lookedBack(now: Date): void {
    this.#lookedBackAt = now.getTime();
  }
}
