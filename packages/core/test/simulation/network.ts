import type { Plan } from './plan.js';
import type { Random } from './random.js';
import type { Timeline } from './timeline.js';

/** How a call fails. */
export type Fault =
  /** It never reached the store. */
  | 'request lost'
  /** The store did all of it, or the first part of a batch, and nobody heard. */
  | 'answer lost'
  /** The store did it, and said that something went wrong. */
  | 'odd answer';

/** What becomes of one call to the store. */
export interface Fate {
  /** Milliseconds until it takes effect, and from there until the answer. */
  readonly there: number;
  readonly back: number;
  readonly fault: Fault | undefined;
  /** Whether it is slow or fails, so that its caller may fall behind. */
  readonly isTrouble: boolean;
}

/** Longest way of a call that is not slow, in milliseconds. */
export const ORDINARY_MS = 4;
const FAULTS: readonly Fault[] = ['request lost', 'answer lost', 'odd answer'];

/** The way between processes and their store. */
export class Network {
  /** The latest time in which the store was out of reach for everybody. */
  outage = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY, hanging: false };
  #slow: number;
  #failing: number;
  readonly #lockTimeout: number;
  readonly #timeline: Timeline;

  constructor({ slow, failing, lockTimeout }: Plan, timeline: Timeline) {
    this.#slow = slow;
    this.#failing = failing;
    this.#lockTimeout = lockTimeout;
    this.#timeline = timeline;
  }

  get isDown(): boolean {
    return this.#timeline.now < this.outage.until;
  }

  breakDown(ms: number, hanging: boolean): void {
    const { now } = this.#timeline;
    const from = this.isDown ? this.outage.from : now;
    this.outage = { from, until: Math.max(this.outage.until, now + ms), hanging };
  }

  /** No new faults from now on. */
  heal(): void {
    this.#slow = 0;
    this.#failing = 0;
  }

  fateOf(random: Random): Fate {
    const isSlow = random.chance(this.#slow);
    const fault = random.chance(this.#failing) ? FAULTS[random.below(FAULTS.length)] : undefined;
    const there = this.#way(random, isSlow && random.chance(0.5));
    const back = this.#way(random, isSlow);
    return { there, back, fault, isTrouble: isSlow || fault !== undefined };
  }

  #way(random: Random, isSlow: boolean): number {
    if (!isSlow) return random.below(ORDINARY_MS);
    return random.below(this.#lockTimeout * (random.chance(0.3) ? 1.5 : 0.2));
  }
}
