import { keyOfNames } from '../../job/key-of-names.js';

/** Times that are remembered one by one; beyond them the earliest is enough. */
const MOST_TIMES = 16;

/**
 * When jobs are known to become due, as far as the stream of changes and one question to the store tell. As long as
 * nothing was missed since that question, it need not be asked again.
 */
export class DueTimes {
  /** Times before the horizon, earliest first. */
  #times: number[] = [];
  /** Jobs may be due from here on of which nothing is known. */
  #horizon = Number.POSITIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The names for which everything before the horizon is known. */
  #names: string | undefined;
  /** Counts what may have been missed: an answer to a question from before says nothing. */
  #doubts = 0;

  /**
   * A job waits for this time. One from before the latest look says that a job waits, not for when: it may have
   * gone back to pending with the due time that it had.
   */
  note(nextRunAt: Date): void {
    const time = nextRunAt.getTime();
    if (time <= this.#lookedAt) this.forget();
    if (time >= this.#horizon || this.#times.includes(time)) return;
    const place = this.#times.findIndex((other) => other > time);
    this.#times.splice(place === -1 ? this.#times.length : place, 0, time);
    if (this.#times.length > MOST_TIMES) this.#horizon = this.#times.pop() ?? this.#horizon;
  }

  /** Everything due until now is about to be claimed. */
  pass(now: number): void {
    this.#lookedAt = now;
    this.#times = this.#times.filter((time) => time > now);
    if (this.#horizon > now) return;
    this.#horizon = Number.POSITIVE_INFINITY;
    this.forget();
  }

  /**
   * Asks the store when the next job of these names after the latest look is due. What is missed while the answer is
   * on its way may not be in it: then the next look asks again.
   */
  async ask(names: readonly string[], question: () => Promise<Date | undefined>): Promise<void> {
    const doubts = this.#doubts;
    const next = await question();
    if (next !== undefined) this.#horizon = Math.min(this.#horizon, next.getTime());
    if (doubts === this.#doubts) this.#names = keyOfNames(names);
  }

  /** Something may have been missed: the store must be asked. */
  forget(): void {
    this.#doubts++;
    this.#names = undefined;
  }

  /** Whether nothing of these names can become due without being known here. */
  knows(names: readonly string[]): boolean {
    return this.#names === keyOfNames(names);
  }

  /** Milliseconds from now until the next time; 0 if it has come, Infinity if none is known. */
  wait(now: number): number {
    return Math.max(0, Math.min(this.#times[0] ?? Number.POSITIVE_INFINITY, this.#horizon) - now);
  }
}
