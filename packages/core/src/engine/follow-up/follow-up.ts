import { memberOf } from '../../job/member-of.js';
import { toError } from '../../job/thrown.js';
import type { StoredJob } from '../../store/query-types.js';
import type { Outcome } from '../../store/settle-types.js';
import { completeBatch } from './complete-batch.js';
import { type Ended, endOf } from './ends.js';
import { CHUNK, type FollowUpParts } from './follow-up-parts.js';
import { followEnds } from './resolve-waiting.js';
import { Sweep } from './sweep.js';
import { updateBatch } from './update-batch.js';

/** Batches of which it is remembered that they have begun. */
const MOST_REMEMBERED = 1_000;

/**
 * Does what an end asks for: lets go what waits for it. It runs beside everything else, one piece of work after the other,
 * and collects meanwhile, so that many ends cost one look. What it cannot do, because the store fails or the process
 * dies, is done by the sweep of whoever lives.
 */
export class FollowUp {
  readonly #parts: FollowUpParts;
  /** Whether this process holds a member of a batch, which then is not complete. */
  readonly #holdsMember: (batchId: string) => boolean;
  #ends: Ended[] = [];
  readonly #left = new Set<string>();
  readonly #begun = new Map<string, Date>();
  readonly #knownToHaveBegun = new Set<string>();
  readonly #errands: (() => Promise<void>)[] = [];
  #working: Promise<void> | undefined;

  constructor(parts: FollowUpParts, holdsMember: (batchId: string) => boolean) {
    this.#parts = parts;
    this.#holdsMember = holdsMember;
  }

  /** Whether there is something left to do. */
  get busy(): boolean {
    return this.#working !== undefined;
  }

  /** Resolves when nothing is left to do. */
  async whenDone(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** This process has taken a job. */
  taken(job: StoredJob): void {
    const batchId = memberOf(job);
    if (batchId === undefined || this.#knownToHaveBegun.has(batchId)) return;
    if (this.#knownToHaveBegun.size >= MOST_REMEMBERED) this.#knownToHaveBegun.clear();
    this.#knownToHaveBegun.add(batchId);
    this.#begun.set(batchId, this.#parts.clock.now());
    this.#start();
  }

  /**
   * This process is done with a job that it had taken.
   *
   * @param outcome - What was stored; undefined where it was nothing, because others have the job, or nobody.
   */
  left(job: StoredJob, outcome?: Outcome): void {
    const end = outcome && endOf(outcome);
    if (end !== undefined) this.#ends.push({ id: job._id, end });
    // Without an outcome too: whoever ended it may have looked at the batch before others of this process had ended.
    const batchId = outcome === undefined || end !== undefined ? memberOf(job) : undefined;
    if (batchId !== undefined) this.#left.add(batchId);
    if (end !== undefined || batchId !== undefined) this.#start();
  }

  /** Somebody has cancelled or removed a job from outside. */
  endedFromOutside(job: StoredJob): void {
    this.left(job, { type: 'cancelled' });
  }

  /** Jobs have been cancelled or removed, and nobody knows which: looks at all that wait. */
  endedUnseen(): void {
    const sweep = new Sweep(this.#parts);
    // Step by step: what ends meanwhile goes first.
    const step = async () => {
      if (await sweep.step()) this.#errands.push(step);
    };
    this.#errands.push(step);
    this.#start();
  }

  #start(): void {
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    // What else comes in the same moment, such as the other ends of one write, goes into the same look.
    await Promise.resolve();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        await next();
      } catch (thrown) {
        this.#parts.emit('job:error', { error: toError(thrown) });
      }
    }
    // Not in a later microtask: what came before that would find somebody at work who has stopped looking.
    this.#working = undefined;
  }

  /** The next piece of work. */
  #next(): (() => Promise<void>) | undefined {
    if (this.#ends.length > 0) {
      const ends = this.#ends.splice(0, CHUNK);
      return () => followEnds(this.#parts, ends);
    }
    for (const [id, at] of this.#begun) {
      this.#begun.delete(id);
      return () => this.#markBegun(id, at);
    }
    for (const id of this.#left) {
      this.#left.delete(id);
      // It is looked at when the last one that this process holds has ended.
      if (!this.#holdsMember(id)) return () => completeBatch(this.#parts, id);
    }
    return this.#errands.shift();
  }

  async #markBegun(id: string, at: Date): Promise<void> {
    await updateBatch(this.#parts, id, (record) =>
      record.startedAt === undefined ? { ...record, startedAt: at } : undefined,
    );
  }
}
