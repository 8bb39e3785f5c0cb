import type { Filter, ObjectId } from 'mongodb';
import type { JobFilter, JobPageRequest, PagePosition, StoredJob } from '../../store/query-types.js';
import { type JobDocument, toStoredJob } from '../documents/job-document.js';
import { hintFor, type MongoContext } from '../mongo-context.js';
import { BEGINNING_OF_TIME, isBounded, linkIndex, toQuery, within } from './filter.js';

type TimeKey = 'createdAt' | 'updatedAt' | 'nextRunAt';

/**
 * Reads a page in the order of a key, then of the id; a job that lacks the key comes before all others.
 * Index: _id_, createdAt_1__id_1, updatedAt_1__id_1, nextRunAt_1__id_1; the planner takes name_1_status_1 where
 * the filter leaves little to sort. A filter by other jobs or batches names its own.
 */
export async function page(
  context: MongoContext,
  { filter, by, direction, after, skip, limit, light }: JobPageRequest<ObjectId>,
): Promise<StoredJob<ObjectId>[]> {
  const order = direction === 'asc' ? 1 : -1;
  const query = by === 'id' ? afterId(filter, order, after) : afterKey(filter, by, order, after);
  const documents = await context.withIndexes((indexes) =>
    context.jobs
      .find(query, {
        sort: by === 'id' ? { _id: order } : { [by]: order, _id: order },
        limit,
        ...(skip === undefined ? {} : { skip }),
        ...(light ? { projection: LARGE_FIELDS } : {}),
        ...hintFor(indexes, linkIndex(filter)),
      })
      .toArray(),
  );
  return documents.map(toStoredJob);
}

/** What callers may do without; as a projection. */
const LARGE_FIELDS = { data: 0, result: 0, progress: 0 } as const;

function afterId(
  filter: JobFilter,
  order: 1 | -1,
  after: PagePosition<ObjectId> | undefined,
): Filter<JobDocument> {
  const query = toQuery(filter);
  if (after !== undefined) query._id = { ...(query._id as object), ...beyond(after.id, order) };
  return query;
}

/**
 * What comes after a place: the rest of the jobs with the same key, then those with a later one. As alternatives, each
 * is an exact range of the index and the server merges them; a single range would walk over all jobs with the same
 * key on every page. The filter's own bounds on the key go into each range, so that the last page stops there.
 */
function afterKey(
  filter: JobFilter,
  by: TimeKey,
  order: 1 | -1,
  after: PagePosition<ObjectId> | undefined,
): Filter<JobDocument> {
  if (after === undefined) return toQuery(filter);
  const { [by]: range, ...others } = filter;
  const bounds = isBounded(range) ? within(range) : undefined;
  const { key, id } = after;
  const places: Filter<JobDocument>[] = [{ [by]: { $eq: key, ...bounds }, _id: beyond(id, order) }];
  if (key !== null) places.push({ [by]: { ...bounds, ...tighter(key, order, bounds) } });
  else if (order === 1) places.push({ [by]: bounds ?? { $gte: BEGINNING_OF_TIME } });
  // Descending, the jobs without the key come last, unless the filter wants the key.
  if (key !== null && order === -1 && bounds === undefined) places.push({ [by]: null });
  return { ...toQuery(others), $or: places };
}

function beyond<T>(value: T, order: 1 | -1): { $gt: T } | { $lt: T } {
  return order === 1 ? { $gt: value } : { $lt: value };
}

/** The bound that a place sets on the key, where it is tighter than the filter's own. */
function tighter(key: Date, order: 1 | -1, bounds: { $gte: Date; $lte?: Date } | undefined): object {
  if (order === 1) return bounds !== undefined && bounds.$gte > key ? {} : { $gt: key, $gte: key };
  const to = bounds?.$lte;
  return to !== undefined && to < key ? {} : { $lt: key, ...(to === undefined ? {} : { $lte: key }) };
}
