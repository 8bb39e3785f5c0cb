import type { SettleBatch, Settled, Settlement } from '../../store/settle-types.js';
import type { EngineParts } from '../engine-types.js';
import type { Executed } from '../execute/execute.js';
import type { Run } from '../execute/run.js';
import { logCopies, logFailures } from './log-failures.js';
import { settleStubbornly } from './settle-stubbornly.js';

/** An outcome on its way to the store. */
export interface Pending {
  readonly run: Run;
  readonly executed: Executed;
}

/** An outcome, and what the store says became of it. */
export interface Stored {
  readonly pending: Pending;
  readonly settled: Settled;
}

/** Most outcomes in one write. */
const LARGEST_BATCH = 500;
/** Writes under way at the same time; what finishes meanwhile is collected for the next one. */
const IN_FLIGHT = 2;
/** How long outcomes are collected, in milliseconds. */
const COLLECT_MS = 2;

/**
 * Collects outcomes and writes them in batches. What cannot be written is kept and tried again for as long
 * as it takes: the claim's token decides whether it still counts by then.
 */
export class Settler {
  readonly #parts: EngineParts;
  /** Called after the write, for every outcome, with what the store says became of it. */
  readonly #settled: (pending: Pending, settled: Settled) => void;
  #queue: Pending[] = [];
  #inFlight = 0;
  #unsettled = 0;
  #collecting = false;
  #whenEmpty: (() => void)[] = [];

  constructor(parts: EngineParts, settled: (pending: Pending, settled: Settled) => void) {
    this.#parts = parts;
    this.#settled = settled;
  }

  /** Outcomes that are not stored yet. */
  get backlog(): number {
    return this.#unsettled;
  }

  add(pending: Pending): void {
    this.#queue.push(pending);
    this.#unsettled++;
    this.#flushSoon();
  }

  /** Resolves when every outcome given so far is stored. */
  flush(): Promise<void> {
    if (this.#unsettled === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  #flushSoon(): void {
    if (this.#collecting || this.#inFlight >= IN_FLIGHT) return;
    this.#collecting = true;
    this.#parts.host.after(
      COLLECT_MS,
      () => {
        this.#collecting = false;
        void this.#write();
      },
      true,
    );
  }

  async #write(): Promise<void> {
    const batch = this.#queue.splice(0, LARGEST_BATCH);
    if (batch.length === 0) return;
    this.#inFlight++;
    if (this.#queue.length > 0) this.#flushSoon();
    // Its time is that of the runs' end, whatever has to be written before.
    const settleBatch = this.#batchOf(batch);
    await logFailures(batch, this.#parts);
    const outcomes: Stored[] = [];
    await settleStubbornly(settleBatch, this.#parts, (index, settled, refused) => {
      const original = batch[index];
      if (original === undefined) return;
      const pending = refused ? { ...original, executed: { ...original.executed, ...refused } } : original;
      outcomes.push({ pending, settled });
    });
    await logCopies(outcomes, this.#parts);
    for (const { pending, settled } of outcomes) this.#settled(pending, settled);
    this.#inFlight--;
    this.#unsettled -= batch.length;
    if (this.#queue.length > 0) this.#flushSoon();
    else if (this.#unsettled === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  #batchOf(batch: readonly Pending[]): SettleBatch {
    const items: Settlement[] = batch.map(({ run, executed }) => ({
      job: run.job,
      token: run.token,
      startedAt: executed.startedAt,
      outcome: executed.outcome,
    }));
    return { at: this.#parts.clock.now(), items };
  }
}
