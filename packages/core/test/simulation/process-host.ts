import type { Host, Timer } from '../../src/engine/host.js';
import type { Random } from './random.js';
import { START, type Timeline } from './timeline.js';

/** What one process sees of its machine, for as long as it lives. */
export class ProcessHost implements Host {
  /** What the machine's clock is off, in milliseconds. */
  skew: number;
  readonly #name: string;
  readonly #timeline: Timeline;
  readonly #random: Random;
  /** Steps that are left to the process. */
  #steps = Number.POSITIVE_INFINITY;
  #frozenUntil = Number.NEGATIVE_INFINITY;
  #timers = 0;
  #texts = 0;

  constructor(name: string, skew: number, timeline: Timeline, random: Random) {
    this.#name = name;
    this.skew = skew;
    this.#timeline = timeline;
    this.#random = random;
  }

  get isDead(): boolean {
    return this.#steps <= 0;
  }

  /** Whether it is to die, now or later. */
  get isDoomed(): boolean {
    return this.#steps < Number.POSITIVE_INFINITY;
  }

  /** Timers that have been set and have neither fired nor been taken back. */
  get timers(): number {
    return this.#timers;
  }

  wallClock(): number {
    return Math.floor(this.#timeline.now + this.skew);
  }

  monotonic(): number {
    return this.#timeline.now - START;
  }

  random(): number {
    return this.#random.next();
  }

  uniqueText(): string {
    this.#texts += 1;
    return `${this.#name}-${this.#texts}`;
  }

  after(ms: number, callback: () => void): Timer {
    this.#timers += 1;
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.#timers -= 1;
      isOver = true;
    };
    const delivery = this.deliver(ms, () => {
      end();
      callback();
    });
    return {
      cancel: () => {
        end();
        delivery.cancel();
      },
    };
  }

  /** Lets something reach the process, unless it is dead by then; a frozen one gets it when it thaws. */
  deliver(ms: number, callback: () => void): Timer {
    const arrive = (): void => {
      if (this.isDead) return;
      const thaw = this.#frozenUntil - this.#timeline.now;
      if (thaw > 0) way = this.#timeline.after(thaw, arrive);
      else {
        callback();
        this.#steps -= 1;
      }
    };
    let way = this.#timeline.after(ms, arrive);
    return { cancel: () => way.cancel() };
  }

  /** Nothing reaches the process until then: its event loop is blocked, or the machine sleeps. */
  freeze(ms: number): void {
    this.#frozenUntil = Math.max(this.#frozenUntil, this.#timeline.now + ms);
  }

  /** After so many more steps nothing reaches the process any more: not a timer, not an answer. */
  die(steps: number): void {
    this.#steps = Math.min(this.#steps, steps);
  }
}
