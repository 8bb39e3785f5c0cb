import type { BatchRecord } from '../store/batch-types.js';
import type { JobStore } from '../store/port.js';

/** Batches looked at with one query. */
const PAGE = 100;

/**
 * Removes the records of batches that are complete and of which no job is left, neither a member nor one that follows.
 *
 * @param goesOn - Asked before each page.
 */
export async function removeEmptyBatches(
  store: Pick<JobStore, 'batches' | 'page'>,
  goesOn: () => boolean,
): Promise<void> {
  const { batches } = store;
  let last: BatchRecord | undefined;
  do {
    const found = await batches.page({
      finished: true,
      direction: 'asc',
      limit: PAGE,
      ...(last !== undefined && { after: last }),
    });
    last = found.length < PAGE ? undefined : found.at(-1);
    if (found.length === 0) return;
    const counts = await batches.counts(found.map(({ id }) => id));
    for (const record of found) {
      const hasMembers = Object.keys(counts.get(record.id) ?? {}).length > 0;
      if (!hasMembers && !(await isFollowed(store, record.id))) await batches.remove(record);
    }
  } while (last !== undefined && goesOn());
}

async function isFollowed(store: Pick<JobStore, 'page'>, id: string): Promise<boolean> {
  const filter = { awaitsBatch: id };
  return (await store.page({ filter, by: 'id', direction: 'asc', limit: 1, light: true })).length > 0;
}
