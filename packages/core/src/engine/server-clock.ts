import type { JobStore } from '../store/port.js';
import type { Host } from './host.js';

/** A host clock that moved this much against the monotonic clock was set by somebody. */
const STEP_MS = 1_000;
/** An answer that took longer than this, in milliseconds, cannot tell clocks that agree from clocks that do not. */
const SLOW_MS = 250;
/** Questions before the first answer is taken as it is. */
const FIRST_TRIES = 3;

/** What one question for the server's time showed. */
interface Sample {
  /** Added to the host's wall clock it gives the server's time. */
  offset: number;
  wall: number;
  monotonic: number;
}

/**
 * The store's time, estimated from the host's clock and an offset.
 *
 * A server that reports time L, asked at host time t0 and heard at t1, is ahead of the host by something
 * between L - t1 and L + 1 - t0. Where that range holds zero the two clocks agree as far as can be known,
 * and the host's own is taken as it is. Otherwise the low end counts, so that nothing ever runs early.
 *
 * The range of a slow answer, from a server that hung for instance, holds almost everything. Such an answer changes
 * nothing that it does not contradict, and where nothing is known its low end counts, zero or not.
 */
export class ServerClock {
  readonly #store: JobStore;
  readonly #host: Host;
  #sample: Sample;
  /** Whether the server has ever answered. */
  #isKnown = false;
  #refreshing = false;

  constructor(store: JobStore, host: Host) {
    this.#store = store;
    this.#host = host;
    this.#sample = { offset: 0, wall: host.wallClock(), monotonic: host.monotonic() };
  }

  /** Now, by the store's clock. */
  now(): Date {
    return new Date(this.millis());
  }

  /** Now, by the store's clock, in milliseconds since 1970. */
  millis(): number {
    const hostNow = this.#host.wallClock();
    const step = this.#stepBy(hostNow);
    if (step === 0) return hostNow + this.#sample.offset;
    // Somebody set the host's clock, or the machine slept: ask, and go on from the monotonic clock until then.
    this.#refreshNow();
    return Math.floor(hostNow - step + this.#sample.offset);
  }

  /** How far the host's clock has moved against the monotonic one since the sample; 0 where nobody set it. */
  #stepBy(hostNow: number): number {
    const { wall, monotonic } = this.#sample;
    const step = hostNow - wall - (this.#host.monotonic() - monotonic);
    return Math.abs(step) <= STEP_MS ? 0 : step;
  }

  #refreshNow(): void {
    if (this.#refreshing) return;
    this.#refreshing = true;
    // What cannot be asked now is asked by the next reading of the clock.
    void this.refresh()
      .catch(() => {})
      .finally(() => {
        this.#refreshing = false;
      });
  }

  /** Asks the store for its time. Called before the engine starts and now and then while it runs. */
  async refresh(): Promise<void> {
    // The first time nothing else is known, so that a good answer is worth another question: the next one finds an
    // open connection and a server that is awake.
    for (let tries = this.#isKnown ? 1 : FIRST_TRIES; tries > 0; tries--) if (await this.#ask()) return;
  }

  /** Takes a sample; answers whether it is a good one. */
  async #ask(): Promise<boolean> {
    const before = this.#host.wallClock();
    const startedAt = this.#host.monotonic();
    const server = (await this.#store.now()).getTime();
    const monotonic = this.#host.monotonic();
    const wall = this.#host.wallClock();
    // The clock was set while the question was under way: the answer cannot be placed.
    if (Math.abs(wall - before - (monotonic - startedAt)) > STEP_MS) return false;
    const low = server - wall;
    const high = server + 1 - before;
    const isSlow = monotonic - startedAt > SLOW_MS;
    const assumed = isSlow ? this.#sample.offset - this.#stepBy(wall) : 0;
    const isAssumed = (this.#isKnown || !isSlow) && low <= assumed && assumed <= high;
    this.#sample = { offset: isAssumed ? assumed : low, wall, monotonic };
    this.#isKnown = true;
    return !isSlow;
  }
}
