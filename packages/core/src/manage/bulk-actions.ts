import { waitAgainForAll } from '../engine/follow-up/wait-again.js';
import { JobStatus } from '../job/status.js';
import type { JobFilter } from '../store/query-types.js';
import type { ManageParts } from './manage-parts.js';
import { parseSelector } from './selector.js';

/** What a bulk call did. */
export interface BulkOperationResult {
  /** Jobs that were changed or removed. */
  count: number;
  /** Kept for compatibility, always empty: a call that fails rejects. */
  errors: { jobId: string; error: string }[];
}

/** Jobs changed by one command. */
const BATCH = 1_000;

type BulkEvent = 'jobs:cancelled' | 'jobs:retried' | 'jobs:deleted';

/** Takes note of so many more jobs that were changed. */
type Add = (count: number) => void;

/** What people do to many jobs at once. Jobs that are not eligible are passed over. */
export class BulkActions<Id> {
  readonly #parts: ManageParts<Id>;
  readonly #changed: () => void;

  /** @param changed - Called after jobs were changed whose ids are not known. */
  constructor(parts: ManageParts<Id>, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  async cancel(selector: unknown): Promise<BulkOperationResult> {
    return this.cancelWhere(parseSelector(selector), false);
  }

  /** @param running - Whether runs that are under way are stopped too. */
  async cancelWhere(jobs: JobFilter, running: boolean): Promise<BulkOperationResult> {
    const { store, clock, engine } = this.#parts;
    const change = { type: 'cancel', running } as const;
    const result = await this.#telling('jobs:cancelled', (add) =>
      this.#inBatches(jobs, add, (filter) => store.changeWhere(filter, change, clock.now(), BATCH)),
    );
    if (running && result.count > 0) engine.verifyRuns();
    return result;
  }

  async retry(selector: unknown): Promise<BulkOperationResult> {
    return this.retryWhere(parseSelector(selector));
  }

  /**
   * What was not to follow a selected job waits for it again, also where it is selected itself: it is not to run beside
   * it. Only what then still has nothing to wait for runs by itself, as it does when it is retried alone.
   *
   * Nobody else would put it back, so the call takes that upon itself, whatever it has changed: where its answer got lost,
   * the next call makes up for it.
   */
  async retryWhere(jobs: JobFilter): Promise<BulkOperationResult> {
    const { followUps } = this.#parts;
    const mayBeForgone = jobs.statuses?.includes(JobStatus.CANCELLED) ?? true;
    return this.#telling('jobs:retried', async (add) => {
      try {
        await this.#retryEach({ ...jobs, forgone: false }, add);
        if (!mayBeForgone) return;
        await waitAgainForAll(followUps);
        await this.#retryEach({ ...jobs, forgone: true }, add);
      } finally {
        await waitAgainForAll(followUps);
      }
    });
  }

  async delete(selector: unknown): Promise<BulkOperationResult> {
    const { store } = this.#parts;
    return this.#telling('jobs:deleted', (add) =>
      this.#inBatches(parseSelector(selector), add, (filter) => store.removeWhere(filter, BATCH)),
    );
  }

  #retryEach(jobs: JobFilter, add: Add): Promise<void> {
    const { store, clock, engine } = this.#parts;
    const start = clock.now();
    return this.#inBatches(jobs, add, async (filter, first) => {
      const now = clock.now();
      // A retried job may fail again at once, and would then be selected again, for ever.
      const untouched: JobFilter = first ? filter : { ...filter, updatedAt: { to: start, orAbsent: true } };
      const count = await store.changeWhere(untouched, { type: 'retry' }, now, BATCH);
      if (count > 0) engine.wake(now);
      return count;
    });
  }

  async #inBatches(
    filter: JobFilter,
    add: Add,
    batch: (filter: JobFilter, first: boolean) => Promise<number>,
  ): Promise<void> {
    const bounded = boundedBy(filter, this.#parts.clock.now());
    let done = await batch(filter, true);
    // A batch may come back short because of a race, so only an empty one is the end.
    while (done > 0) {
      add(done);
      done = await batch(bounded, false);
    }
  }

  /** Tells once of all that a call has changed; also after a failure: what was written before it stays written. */
  async #telling(event: BulkEvent, work: (add: Add) => Promise<void>): Promise<BulkOperationResult> {
    let count = 0;
    try {
      await work((more) => {
        count += more;
      });
    } finally {
      if (count > 0) {
        this.#parts.stats.clear();
        this.#changed();
        if (event !== 'jobs:retried') this.#parts.engine.followUp.endedUnseen();
        this.#parts.emit(event, { count });
      }
    }
    return { count, errors: [] };
  }
}

/**
 * The same jobs, but none that came after the call began: against producers that never pause the call would
 * otherwise never end. The first batch goes without the bound, so that a clock that runs a little behind another
 * process's hides nothing from an ordinary call.
 */
function boundedBy(filter: JobFilter, start: Date): JobFilter {
  // Documents of others may lack the time, and whoever named no time means them too.
  if (filter.createdAt === undefined) return { ...filter, createdAt: { to: start, orAbsent: true } };
  const { to } = filter.createdAt;
  return { ...filter, createdAt: { ...filter.createdAt, to: to !== undefined && to < start ? to : start } };
}
