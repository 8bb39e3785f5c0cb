import type { Outcome } from '../../store/settle-types.js';
import type { DrainResult } from '../engine-types.js';
import type { Run } from '../execute/run.js';
import type { FollowUp } from '../follow-up/follow-up.js';
import type { Settler } from '../settle/settler.js';
import type { Claimer } from './claimer.js';
import type { Slots } from './slots.js';
import type { WakeSignal } from './wake-signal.js';

/** What a drain claims with, and hands claims to. */
export interface DrainParts {
  readonly claimer: Claimer;
  readonly slots: Slots;
  readonly settler: Pick<Settler, 'backlog' | 'flush'>;
  readonly followUp: Pick<FollowUp, 'busy' | 'whenDone'>;
  /** Whether the started engine is claiming as well, and may be about to get what was due. */
  claiming(): boolean;
  /** Takes the claims over; they start now or as soon as a slot is free. */
  accept(runs: Run[]): void;
  /** Gives claims back that arrived after the stop. */
  giveBack(runs: Run[]): void;
}

/** How long to wait for the claims of others, and of the started engine, before looking again, in milliseconds. */
const CLAIM_PAUSE_MS = 5;

/** One call of `drain()`: counts what ends meanwhile, and is woken by it. */
export class Drain {
  readonly result: DrainResult = { completed: 0, failed: 0, other: 0 };
  readonly #changed: WakeSignal;
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(changed: WakeSignal) {
    this.#changed = changed;
  }

  /** A run has ended and its outcome is stored. */
  count({ type }: Outcome): void {
    if (type === 'completed' || type === 'repeat') this.result.completed++;
    else if (type === 'retry' || type === 'failed') this.result.failed++;
    else this.result.other++;
  }

  /** Claims nothing more; resolves as soon as what it claimed is done. Never rejects. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    // What went wrong is told to the caller of the drain.
    await this.#running.catch(() => {});
  }

  /** A slot is free, or an outcome is stored. */
  wake(): void {
    this.#changed.notify();
  }

  /** Claims and runs what is due until nothing is, and nothing is under way. */
  run(parts: DrainParts): Promise<DrainResult> {
    const running = this.#run(parts);
    this.#running = running;
    return running;
  }

  async #run(parts: DrainParts): Promise<DrainResult> {
    const { claimer, slots, settler, followUp, accept, giveBack } = parts;
    const isQuiet = () => slots.idle && settler.backlog === 0 && !followUp.busy && !parts.claiming();
    for (;;) {
      // Asked before the claim, since what ends while that is under way may leave something due; and after it, since
      // the started engine may have got what was due in the meantime.
      const quiet = isQuiet();
      const wanted = this.#stopped ? { wants: [], total: 0, isLimited: false } : slots.wanted();
      const { runs, more } = wanted.total > 0 ? await claimer.claim(wanted) : { runs: [], more: false };
      // Nobody would renew what arrives after the stop.
      if (this.#stopped) giveBack(runs);
      else accept(runs);
      if (runs.length > 0) continue;
      if (more) {
        // All that is due is in the hands of others, who take it or write something else to it.
        await this.#changed.wait(CLAIM_PAUSE_MS);
        continue;
      }
      if (quiet && isQuiet()) return this.result;
      if (parts.claiming()) await this.#changed.wait(CLAIM_PAUSE_MS);
      else if (slots.idle) {
        await settler.flush();
        await followUp.whenDone();
      } else await this.#changed.wait(Number.POSITIVE_INFINITY);
    }
  }
}
