import type { Insert, Inserted, InsertOptions } from '../store/insert-types.js';
import type { JobStore } from '../store/port.js';

/**
 * Stores a batch in which many jobs may carry the same unique key. A job that would only be told of an earlier one of
 * the batch is not sent: it gets that one's answer, as it would have got it right after. So a burst of calls with one
 * key costs the store one insert, and not a race of each against all others.
 */
export async function insertMerged<Id>(
  store: Pick<JobStore<Id>, 'insert'>,
  inserts: readonly Insert[],
  options?: InsertOptions,
): Promise<Inserted<Id>[]> {
  const sent: Insert[] = [];
  const latestOfKey = new Map<string, number>();
  const places = inserts.map((insert) => {
    const key = keyOf(insert);
    const earlier = key === undefined ? undefined : latestOfKey.get(key);
    if (earlier !== undefined && insert.onDuplicate === 'keep') return { place: earlier, merged: true };
    const place = sent.push(insert) - 1;
    if (key !== undefined) latestOfKey.set(key, place);
    return { place, merged: false };
  });
  const inserted = await store.insert(sent, options);
  return places.map(({ place, merged }) => answerAt(inserted, place, merged));
}

/** A held job does not occupy its key, so neither it nor what meets it can be told in advance. */
function keyOf({ job }: Insert): string | undefined {
  if (job.uniqueKey === undefined || job.status !== 'pending') return undefined;
  return JSON.stringify([job.name, job.uniqueKey]);
}

function answerAt<Id>(inserted: readonly Inserted<Id>[], place: number, merged: boolean): Inserted<Id> {
  const answer = inserted[place];
  if (answer === undefined)
    throw new RangeError(`The store answered ${inserted.length} jobs, and more were sent`);
  return merged ? { job: { ...answer.job }, outcome: 'existing' } : answer;
}
