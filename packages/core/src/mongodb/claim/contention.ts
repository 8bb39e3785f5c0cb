/** Claims for which a lost race is remembered. */
const MEMORY = 16;
/** The share of a claim that was lost in a race. Less than that, or a single job, was cancelled or moved meanwhile. */
const LOST_SHARE = 0.1;
const LOST_AT_LEAST = 2;
/** Smaller claims keep to the head: there the order of the jobs shows, and a look in vain costs little. */
const SMALLEST_LIMIT = 100;
/** Places at which a claim may begin while others claim too. */
const WINDOWS = 4;

/**
 * Keeps processes that share a backlog out of each other's way. They would all look at the same first jobs, and all
 * but one would have looked in vain. After a lost race a claim begins at a random place near the head instead of at
 * the head itself: the jobs there are due as well.
 */
export class Contention {
  #claimsLeft = 0;

  /** How many due jobs to pass over, for a claim that reads `limit` of them. */
  offset(limit: number): number {
    return this.#claimsLeft === 0 || limit < SMALLEST_LIMIT ? 0 : limit * Math.floor(Math.random() * WINDOWS);
  }

  /** Takes note of a claim that did not get so many of the jobs that it asked for. */
  note(lost: number, asked: number): void {
    const isRace = lost >= LOST_AT_LEAST && lost >= asked * LOST_SHARE;
    this.#claimsLeft = isRace ? MEMORY : Math.max(0, this.#claimsLeft - 1);
  }
}
