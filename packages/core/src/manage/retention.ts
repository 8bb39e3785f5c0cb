import type { Emit } from '../engine/emit.js';
import type { FollowUpParts } from '../engine/follow-up/follow-up-parts.js';
import { Sweep } from '../engine/follow-up/sweep.js';
import type { Host, Timer } from '../engine/host.js';
import type { ServerClock } from '../engine/server-clock.js';
import { FINAL_STATUSES } from '../job/status.js';
import { toError } from '../job/thrown.js';
import type { ResolvedOptions } from '../options/resolved-options.js';
import type { JobStore } from '../store/port.js';
import { removeEmptyBatches } from './remove-empty-batches.js';

/** Jobs removed by one command. */
const BATCH = 1_000;
/** The first pass comes within this time, so that processes that never live for an interval clean up too. */
const FIRST_PASS_WITHIN = 10_000;
/** Share of the interval by which a pass is moved, so that many processes do not clean up at the same time. */
const JITTER = 0.1;

/** What retention stands on. */
export interface RetentionParts {
  readonly store: Pick<JobStore, 'removeWhere' | 'page' | 'batches'>;
  readonly host: Host;
  readonly clock: ServerClock;
  readonly options: Pick<ResolvedOptions, 'jobRetention'>;
  readonly emit: Emit;
  readonly followUps: FollowUpParts;
}

/** Removes final jobs of a certain age, now and then, while the instance runs. */
export class Retention {
  readonly #parts: RetentionParts;
  /** Present while the instance runs; a pass that finds another one in its place ends. */
  #session: { timer?: Timer } | undefined;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    const { host, options } = this.#parts;
    if (options.jobRetention === undefined || this.#session !== undefined) return;
    this.#session = {};
    this.#passAfter(Math.min(options.jobRetention.interval, FIRST_PASS_WITHIN) * host.random());
  }

  /** Waits for nothing: a batch that is under way removes jobs that were to go anyway. */
  stop(): void {
    this.#session?.timer?.cancel();
    this.#session = undefined;
  }

  #passAfter(ms: number): void {
    const session = this.#session;
    if (session === undefined) return;
    session.timer = this.#parts.host.after(ms, () => void this.#pass(session), false);
  }

  async #pass(session: { timer?: Timer }): Promise<void> {
    const { host, options, emit } = this.#parts;
    const ages = options.jobRetention;
    if (ages === undefined) return;
    try {
      await this.#letGo(session);
      for (const status of FINAL_STATUSES) {
        const age = ages[status];
        if (age !== undefined) await this.#removeOlder(status, age, session);
      }
      await removeEmptyBatches(this.#parts.store, () => this.#session === session);
    } catch (thrown) {
      if (this.#session === session) emit('job:error', { error: toError(thrown) });
    }
    const shift = 1 + JITTER * (2 * host.random() - 1);
    if (this.#session === session) this.#passAfter(ages.interval * shift);
  }

  /** What waits goes with the job that it follows. Should that have ended without anybody letting it go, it is still to run. */
  async #letGo(session: object): Promise<void> {
    const sweep = new Sweep(this.#parts.followUps);
    while (this.#session === session && (await sweep.step()));
  }

  async #removeOlder(status: (typeof FINAL_STATUSES)[number], age: number, session: object): Promise<void> {
    const to = new Date(this.#parts.clock.millis() - age);
    const filter = { statuses: [status], updatedAt: { to }, ours: true } as const;
    while (this.#session === session) {
      if ((await this.#parts.store.removeWhere(filter, BATCH)) === 0) return;
    }
  }
}
