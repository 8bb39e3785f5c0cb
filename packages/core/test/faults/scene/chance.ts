import { randomInt } from 'node:crypto';

/** Repeats the random moments of a run. */
const SEED_VARIABLE = 'MONQUE_FAULT_SEED';
/** Multiplies the rounds of every scenario; 1 in `npm test`. */
const SCALE_VARIABLE = 'MONQUE_FAULT_SCALE';

const SCALE = Number(process.env[SCALE_VARIABLE] || 1);

/** Whether this run is to take its time: some scenarios wait for half a minute for what a short one shows as well. */
export const isLong = SCALE > 1;

/** As many rounds as this run is asked for, of a scenario that has this many in its short form. */
export function rounds(short: number): number {
  return Math.max(1, Math.round(short * SCALE));
}

/** Time that a scenario may take, in milliseconds, which grows with its rounds. */
export function timeLimit(short: number): number {
  return short * Math.max(1, SCALE);
}

/**
 * Random numbers that a seed repeats. The moments at which something happens are then the same; what the processes are
 * doing at those moments is not.
 */
export class Chance {
  readonly seed: number;
  #state: number;

  constructor(seed = Number(process.env[SEED_VARIABLE] || randomInt(2 ** 31))) {
    this.seed = seed;
    this.#state = seed;
  }

  /** Says how to have the same again. */
  announce(what: string): this {
    console.log(`${what}: ${SEED_VARIABLE}=${this.seed} repeats its random moments`);
    return this;
  }

  /** An integer from `low` up to and with `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.between(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError('There is nothing to pick from');
    return choice;
  }

  /** The generator known as mulberry32: 32 bits of state are plenty for moments. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }
}
