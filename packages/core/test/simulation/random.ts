/** A seeded source of chance: the same seeds give the same numbers, on every machine. */
export class Random {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce(
      (hash, seed) => Math.imul(hash ^ seed, 0x9e3779b1) ^ (hash >>> 15),
      0x85ebca6b,
    );
  }

  /** A number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** True in this share of the cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }
}
