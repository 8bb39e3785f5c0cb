import type { End } from '../../src/engine/follow-up/ends.js';
import { FINAL_STATUSES } from '../../src/job/status.js';
import type { Change } from '../../src/store/change-types.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { JobFilter, StoredJob } from '../../src/store/query-types.js';
import type { SettleBatch } from '../../src/store/settle-types.js';

/** What may be wrong on purpose, so that the histories show that they would find it. */
export type Bug = 'double release' | 'no sweep' | 'version ignored' | 'forgone children stay';

/** The true store, which knows how often each job was let go, and how each has ended. */
export class WatchedStore extends MemoryStore {
  readonly released = new Map<string, number>();
  readonly ends = new Map<string, Set<End>>();
  readonly #bug: Bug | undefined;

  constructor(clock: () => number, bug: Bug | undefined) {
    super(clock);
    this.#bug = bug;
    if (bug !== 'version ignored') return;
    const { replace } = this.batches;
    this.batches.replace = async (record) => {
      const [stored] = await this.batches.get([record.id]);
      return replace.call(this.batches, { ...record, version: (stored?.version ?? 0) + 1 });
    };
  }

  override async settle(batch: SettleBatch<string>) {
    const settled = await super.settle(batch);
    for (const { applied, job } of settled) if (applied) this.#noteEnd(job);
    return settled;
  }

  override async change(ids: readonly string[], change: Change, now: Date) {
    if (change.type === 'await' && this.#bug === 'forgone children stay') return [];
    const changed = await super.change(ids, change, now);
    for (const { job } of changed) {
      if (change.type === 'proceed') this.#noteRelease(job._id);
      this.#noteEnd(job);
    }
    return changed;
  }

  override async changeWhere(filter: JobFilter, change: Change, now: Date, limit: number) {
    if (change.type !== 'proceed') return super.changeWhere(filter, change, now, limit);
    const meant = await this.#read(filter);
    const changed = await this.change(
      meant.map(({ _id }) => _id),
      change,
      now,
    );
    if (this.#bug === 'double release') {
      const again = await super.change(filter.ids as readonly string[], { type: 'retry' }, now);
      for (const { job } of again) this.#noteRelease(job._id);
    }
    return changed.length;
  }

  override async page(request: Parameters<MemoryStore['page']>[0]) {
    return this.#bug === 'no sweep' && request.filter.fill === null ? [] : super.page(request);
  }

  #read(filter: JobFilter): Promise<StoredJob<string>[]> {
    return super.page({ filter, by: 'id', direction: 'asc', limit: 10_000 });
  }

  #noteRelease(id: string): void {
    this.released.set(id, (this.released.get(id) ?? 0) + 1);
  }

  #noteEnd({ _id, status }: StoredJob<string>): void {
    const end = FINAL_STATUSES.find((final) => final === status);
    if (end !== undefined) this.ends.set(_id, (this.ends.get(_id) ?? new Set()).add(end));
  }
}
