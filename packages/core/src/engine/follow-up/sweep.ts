import { WAITING_STATUSES } from '../../job/status.js';
import type { BatchRecord } from '../../store/batch-types.js';
import { completeBatch } from './complete-batch.js';
import { lookAfterFills } from './fills.js';
import { CHUNK, type FollowUpParts } from './follow-up-parts.js';
import { resolveWaiting } from './resolve-waiting.js';

/** Batches looked at in one step; each takes a query or two of its own. */
const BATCHES = 100;

/**
 * Walks over all jobs that wait, and all batches that are open, and finishes what nobody has: the follow-up of a process
 * that died, or one of which nobody knew that it was due. It goes on from step to step, and begins again at the end.
 */
export class Sweep {
  readonly #parts: FollowUpParts;
  /** What this walk has not come to the end of. */
  #left = { waiting: true, batches: true };
  #lastWaiting: unknown;
  #lastBatch: BatchRecord | undefined;

  constructor(parts: FollowUpParts) {
    this.#parts = parts;
  }

  /** Does one step; answers whether there is more. */
  async step(): Promise<boolean> {
    if (this.#left.waiting) this.#left.waiting = await this.#stepWaiting();
    if (this.#left.batches) this.#left.batches = await this.#stepBatches();
    const isMore = this.#left.waiting || this.#left.batches;
    if (!isMore) this.#left = { waiting: true, batches: true };
    return isMore;
  }

  async #stepWaiting(): Promise<boolean> {
    const waiting = await this.#parts.store.page({
      filter: { statuses: WAITING_STATUSES, fill: null },
      by: 'id',
      direction: 'asc',
      limit: CHUNK,
      light: true,
      ...(this.#lastWaiting !== undefined && { after: { key: null, id: this.#lastWaiting } }),
    });
    this.#lastWaiting = waiting.length < CHUNK ? undefined : waiting.at(-1)?._id;
    await resolveWaiting(this.#parts, waiting);
    return this.#lastWaiting !== undefined;
  }

  async #stepBatches(): Promise<boolean> {
    const open = await this.#parts.batches.page({
      finished: false,
      direction: 'asc',
      limit: BATCHES,
      ...(this.#lastBatch !== undefined && { after: this.#lastBatch }),
    });
    this.#lastBatch = open.length < BATCHES ? undefined : open.at(-1);
    for (const batch of open) {
      if (batch.fills.length > 0) await lookAfterFills(this.#parts, batch);
      else await completeBatch(this.#parts, batch.id);
    }
    return this.#lastBatch !== undefined;
  }
}
