import type { BatchStore } from '../../store/batch-types.js';
import type { JobStore } from '../../store/port.js';
import type { JobFilter, StoredJob } from '../../store/query-types.js';
import type { EngineParts } from '../engine-types.js';

/** What follow-ups stand on. */
export interface FollowUpParts extends Pick<EngineParts, 'host' | 'clock' | 'emit'> {
  readonly store: Pick<JobStore, 'page' | 'change' | 'changeWhere' | 'remove' | 'removeWhere'>;
  readonly batches: BatchStore;
  /** Jobs were let go that are due at this time. */
  released(nextRunAt: Date): void;
}

/** Jobs read or written by one command. */
export const CHUNK = 500;

/** Reads the jobs that a filter means, page by page in the order of their ids, without what may be large. */
export async function* pagesOf(
  { store }: Pick<FollowUpParts, 'store'>,
  filter: JobFilter,
): AsyncIterable<StoredJob[]> {
  let last: StoredJob | undefined;
  for (;;) {
    const page = await store.page({
      filter,
      by: 'id',
      direction: 'asc',
      limit: CHUNK,
      light: true,
      ...(last !== undefined && { after: { key: null, id: last._id } }),
    });
    if (page.length > 0) yield page;
    if (page.length < CHUNK) return;
    last = page.at(-1);
  }
}
