import { toError } from '../../job/thrown.js';
import type { EngineParts } from '../engine-types.js';
import type { HeldRuns } from '../execute/held-runs.js';
import { recoverStale } from '../recover-stale.js';
import { Repeater } from '../timing/repeater.js';
import { Contact } from './contact.js';

/** Recovery passes per lockTimeout: a dead process is noticed at most this fraction late. */
const SWEEPS_PER_TIMEOUT = 4;
/** How often the host's offset to the server's clock is measured again, in milliseconds. */
const CLOCK_REFRESH_MS = 60_000;

/** What the leases ask and tell. */
export interface LeaseListener {
  /** Jobs of a dead process were given back and may be due. */
  recovered(): void;
  /** Whether cancellations by other processes are seen at once. */
  watching(): boolean;
}

/**
 * Keeps what lives and takes back what died: one heartbeat write per interval for everything this process
 * holds, and, in every process, a sweep for leases whose owner fell silent.
 */
export class Leases {
  readonly #parts: EngineParts;
  readonly #held: HeldRuns;
  readonly #listener: LeaseListener;
  readonly #contact: Contact;
  readonly #heartbeat: Repeater;
  readonly #sweep: Repeater;
  readonly #clock: Repeater;
  readonly #verifier: Repeater;
  #stopping = false;
  #verifying = false;
  /** Asked to look while a look was under way, which may have come too early. */
  #verifyAgain = false;

  constructor(parts: EngineParts, held: HeldRuns, listener: LeaseListener) {
    this.#parts = parts;
    this.#held = held;
    this.#listener = listener;
    const { host, options } = parts;
    const sweepEvery = options.lockTimeout / SWEEPS_PER_TIMEOUT;
    // Owners renew at least every third of the timeout; after an outage they get that long, and some more.
    this.#contact = new Contact(host, options.lockTimeout / 2);
    this.#heartbeat = new Repeater(host, options.heartbeatInterval, 0, () => this.#renew());
    this.#sweep = new Repeater(host, sweepEvery, 0.25, () => this.#recover());
    // Without a stream of changes, a job that was cancelled elsewhere is noticed by looking.
    this.#verifier = new Repeater(host, options.pollInterval, 0, async () => {
      if (!listener.watching()) await this.verify();
    });
    this.#clock = new Repeater(host, CLOCK_REFRESH_MS, 0.25, () => this.#refreshClock());
  }

  start(): void {
    this.#stopping = false;
    this.#heartbeat.start();
    this.#verifier.start();
    this.#clock.start();
    if (this.#parts.options.recoverStaleJobs) this.#sweep.start();
  }

  /** Stops sweeping; heartbeats go on for the runs that a shutdown waits for. */
  stopSweeping(): void {
    this.#sweep.stop();
    this.#clock.stop();
  }

  /** Stops as soon as nothing is held: a handler that outlives a shutdown keeps its job for as long as it runs. */
  stopWhenFree(): void {
    this.stopSweeping();
    this.#stopping = true;
    if (this.#held.size > 0) return;
    this.#heartbeat.stop();
    this.#verifier.stop();
  }

  /** The store has answered some other question. */
  contact(): void {
    this.#contact.record();
  }

  /** Looks at once whether claims were taken away, without renewing them. */
  async verify(): Promise<void> {
    if (this.#held.size === 0) return;
    if (this.#verifying) {
      this.#verifyAgain = true;
      return;
    }
    this.#verifying = true;
    this.#verifyAgain = false;
    try {
      const lost = await this.#parts.store.verify(
        this.#parts.options.schedulerInstanceId,
        this.#held.claims(),
      );
      this.#held.lose(lost);
    } catch (thrown) {
      this.#report(thrown);
    } finally {
      this.#verifying = false;
    }
    if (this.#verifyAgain) await this.verify();
  }

  async #renew(): Promise<void> {
    if (this.#stopping) this.stopWhenFree();
    if (this.#held.size === 0) return;
    try {
      const lost = await this.#parts.store.renew(
        this.#parts.options.schedulerInstanceId,
        this.#held.claims(),
      );
      this.#contact.record();
      this.#held.lose(lost);
    } catch (thrown) {
      this.#report(thrown);
      // Every heartbeat that gets through before the others look for dead owners saves all runs: try again soon.
      this.#heartbeat.soon(this.#parts.options.heartbeatInterval / 10);
    }
  }

  async #recover(): Promise<void> {
    try {
      // Asked first, so that an outage is noticed before anything is taken from owners that could not renew.
      await this.#parts.store.now();
      this.#contact.record();
      if (!this.#contact.steady) return;
      await recoverStale({ ...this.#parts, emit: this.#emitRecovered });
    } catch (thrown) {
      this.#report(thrown);
    }
  }

  readonly #emitRecovered: EngineParts['emit'] = (event, ...payload) => {
    this.#parts.emit(event, ...payload);
    this.#listener.recovered();
  };

  async #refreshClock(): Promise<void> {
    await this.#parts.clock.refresh().catch((thrown: unknown) => this.#report(thrown));
  }

  #report(thrown: unknown): void {
    this.#parts.emit('job:error', { error: toError(thrown) });
  }
}
