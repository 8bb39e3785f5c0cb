import { FINAL_STATUSES } from '../../job/status.js';
import type { StoredJob } from '../../store/query-types.js';
import type { End } from './ends.js';
import type { FollowUpParts } from './follow-up-parts.js';

/** Where what a job follows stands. A recurring parent is never over: only its occurrences end. */
export type FollowedState = End | 'open' | 'recurring';

/** Names what a job follows, its parent or its batch; undefined where it does not say so, as a job of others may. */
function followedBy({ parentJobId, awaitsBatchId }: StoredJob): string | undefined {
  if (isSet(awaitsBatchId)) return `batch ${awaitsBatchId}`;
  return isSet(parentJobId) ? `job ${String(parentJobId)}` : undefined;
}

/** Documents of others may hold null. */
function isSet<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Reads where that stands which jobs follow; undefined for what is gone. */
export async function followedStates(
  { store, batches }: Pick<FollowUpParts, 'store' | 'batches'>,
  jobs: readonly StoredJob[],
): Promise<(job: StoredJob) => FollowedState | undefined> {
  const parentIds = new Map<string, unknown>();
  const batchIds = new Set<string>();
  for (const { parentJobId, awaitsBatchId } of jobs) {
    if (isSet(awaitsBatchId)) batchIds.add(awaitsBatchId);
    else if (isSet(parentJobId)) parentIds.set(String(parentJobId), parentJobId);
  }
  const states = new Map<string, FollowedState>();
  if (parentIds.size > 0) {
    const filter = { ids: [...parentIds.values()] };
    const parents = await store.page({
      filter,
      by: 'id',
      direction: 'asc',
      limit: parentIds.size,
      light: true,
    });
    for (const parent of parents) states.set(`job ${String(parent._id)}`, stateOf(parent));
  }
  if (batchIds.size > 0) {
    for (const { id, outcome } of await batches.get([...batchIds]))
      states.set(`batch ${id}`, outcome ?? 'open');
  }
  return (job) => {
    const followed = followedBy(job);
    // Nobody knows what it waits for: that is not ours to end.
    return followed === undefined ? 'open' : states.get(followed);
  };
}

function stateOf({ status, repeatInterval }: StoredJob): FollowedState {
  const end = FINAL_STATUSES.find((final) => final === status);
  return end ?? (repeatInterval === undefined || repeatInterval === null ? 'open' : 'recurring');
}
