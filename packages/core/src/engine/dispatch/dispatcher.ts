import { toError } from '../../job/thrown.js';
import type { EngineParts } from '../engine-types.js';
import type { Run } from '../execute/run.js';
import { GrowingDelay } from '../timing/growing-delay.js';
import { type Claimed, Claimer } from './claimer.js';
import { DueTimes } from './due-times.js';
import { PollPace } from './poll-pace.js';
import { Rush } from './rush.js';
import type { Slots, Wanted } from './slots.js';
import { WakeSignal } from './wake-signal.js';

/** Outcomes waiting to be stored beyond which no more jobs are taken. */
const MOST_UNSETTLED = 5_000;
/** First wait, in milliseconds, after a claim that other processes were faster with. */
const FIRST_RETRY_MS = 5;

/** What the dispatcher hands claims to and asks about. */
export interface DispatcherParts {
  readonly slots: Slots;
  /** Takes the claims over; they start now or as soon as a slot is free. */
  accept(runs: Run[]): void;
  /** Gives claims back that arrived after the stop. */
  giveBack(runs: Run[]): void;
  /** Outcomes that are not stored yet. */
  unsettled(): number;
  /** Whether changes by other processes are seen at once. */
  watching(): boolean;
  /** The store has answered. */
  contact(): void;
  /** Whether claims come back full, one after the other. */
  rushing(rushing: boolean): void;
}

/**
 * The loop: ask what there is room for, claim that much for all names in one go, hand it over, and wait for
 * the next of a freed slot, a wake-up, the next due time and the poll. Never a fixed sleep while work is due.
 */
export class Dispatcher {
  readonly #parts: EngineParts;
  readonly #with: DispatcherParts;
  readonly #claimer: Claimer;
  readonly #signal: WakeSignal;
  readonly #due = new DueTimes();
  readonly #rush = new Rush();
  readonly #pace = new PollPace();
  readonly #outage: GrowingDelay;
  #stop: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();
  #fruitless = 0;
  #claiming = false;
  /** Whether the latest look wanted less than it would have with more free slots. */
  #isLimited = false;

  constructor(parts: EngineParts, dispatcherParts: DispatcherParts) {
    this.#parts = parts;
    this.#with = dispatcherParts;
    this.#claimer = new Claimer(parts);
    this.#signal = new WakeSignal(parts.host);
    this.#outage = new GrowingDelay(parts.host);
  }

  start(): void {
    if (this.#stop !== undefined && !this.#stop.signal.aborted) return;
    const stop = new AbortController();
    this.#stop = stop;
    // Behind a loop that was stopped and has not ended yet, because the store has not answered it.
    this.#loop = this.#loop.then(() => this.#run(stop.signal));
  }

  /** Takes no further job; resolves when the loop has ended. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#signal.notify();
    await this.#loop;
  }

  /** Whether a claim is under way, whose jobs nobody knows yet. */
  get claiming(): boolean {
    return this.#claiming;
  }

  /** Something changed: look again. */
  wake(): void {
    this.#signal.notify();
  }

  /** Changes may have been missed, or may be from now on: look again, and rely on nothing that was known. */
  wakeUnsure(): void {
    this.#due.forget();
    this.#signal.notify();
  }

  /** A slot is free, or an outcome is stored: look again, if the want of one was all that kept jobs waiting. */
  freed(): void {
    if (this.#isLimited) this.#signal.notify();
  }

  /** A job waits for this time; the loop looks then, or now if it has come. */
  due(nextRunAt: Date): void {
    const before = this.#due.wait(0);
    this.#due.note(nextRunAt);
    if (this.#due.wait(0) < before) this.#signal.notify();
  }

  async #run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const wanted = this.#wanted();
      this.#isLimited = wanted.isLimited;
      if (wanted.total === 0) {
        // Full: only a freed slot, a stored outcome or a stop changes that, and each of them notifies.
        await this.#signal.wait(Number.POSITIVE_INFINITY);
        continue;
      }
      try {
        const sleep = await this.#claim(wanted, stopping);
        this.#outage.reset();
        // A poll takes nothing for granted.
        if (sleep > 0 && !(await this.#signal.wait(sleep))) this.#due.forget();
      } catch (thrown) {
        this.#due.forget();
        this.#parts.emit('job:error', { error: toError(thrown) });
        await this.#outage.wait(stopping, true);
      }
    }
  }

  #wanted(): Wanted {
    return this.#with.unsettled() > MOST_UNSETTLED
      ? { wants: [], total: 0, isLimited: true }
      : this.#with.slots.wanted();
  }

  /** Claims and hands over; resolves with how long to sleep, in milliseconds, 0 to go on at once. */
  async #claim(wanted: Wanted, stopping: AbortSignal): Promise<number> {
    const now = this.#parts.clock.now();
    this.#due.pass(now.getTime());
    const claimed = await this.#take(wanted, now, stopping);
    if (claimed === undefined) return 0;
    const { runs, more } = claimed;
    if (runs.length > 0) this.#pace.found();
    if (runs.length > 0 || !more) this.#fruitless = 0;
    if (!more) return this.#untilDue(wanted, now);
    // Others took all of it: more is due, but look again soon and not ever faster.
    return runs.length > 0 ? 0 : FIRST_RETRY_MS * 2 ** Math.min(this.#fruitless++, 6);
  }

  /** Claims and hands over; resolves with undefined where it was stopped meanwhile, and everything given back. */
  async #take(wanted: Wanted, now: Date, stopping: AbortSignal): Promise<Claimed | undefined> {
    this.#claiming = true;
    try {
      const claimed = await this.#claimer.claim(wanted, now);
      const { runs, more } = claimed;
      this.#with.contact();
      this.#with.rushing(this.#rush.note(runs.length, more, this.#parts.host.monotonic()));
      if (stopping.aborted) {
        this.#with.giveBack(runs);
        return undefined;
      }
      this.#with.accept(runs);
      return claimed;
    } finally {
      this.#claiming = false;
    }
  }

  /** Nothing is due by the time of the claim: sleep until something is, or until the poll. */
  async #untilDue({ wants }: Wanted, claimedAt: Date): Promise<number> {
    const { options, store, clock } = this.#parts;
    const names = wants.map(({ name }) => name);
    const isWatching = this.#with.watching();
    if (!isWatching || !this.#due.knows(names)) {
      await this.#due.ask(names, () => store.nextDueAt(names, claimedAt));
    }
    const poll = isWatching ? options.safetyPollInterval : this.#pace.next(options.pollInterval);
    return Math.min(poll, this.#due.wait(clock.millis()));
  }
}
