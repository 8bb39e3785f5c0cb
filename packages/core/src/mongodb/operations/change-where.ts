import type { AnyBulkWriteOperation, ObjectId } from 'mongodb';
import { type Change, changeableStatuses } from '../../store/change-types.js';
import type { JobFilter } from '../../store/query-types.js';
import type { JobDocument } from '../documents/job-document.js';
import { DUPLICATE_KEY, partialWrite } from '../driver-errors.js';
import { hintFor, type MongoContext } from '../mongo-context.js';
import { changeable, changeUpdate, makesActive } from './change-update.js';
import { linkIndex, toQuery } from './filter.js';

type Candidate = Pick<JobDocument, '_id' | 'uniqueKey'>;

/**
 * Changes matching jobs: ids first, then one write for all of them that asks for the status again. Jobs that may meet
 * a taken unique key get a write each, because one refusal would end a common one; those refused are passed over,
 * and others take their place. Index: name_1_status_1 for the ids, or that of the filter's parents or batch; _id_ for
 * the writes.
 */
export async function changeWhere(
  context: MongoContext,
  filter: JobFilter,
  request: Change,
  now: Date,
  limit: number,
): Promise<number> {
  const statuses = changeableStatuses(request);
  const wanted =
    filter.statuses === undefined ? statuses : statuses.filter((one) => filter.statuses?.includes(one));
  if (wanted.length === 0) return 0;
  const query = { $and: [toQuery({ ...filter, statuses: wanted }), changeable(request)] };
  const blocked: ObjectId[] = [];
  let count = 0;
  while (count < limit) {
    const asked = limit - count;
    const found: Candidate[] = await context.withIndexes((indexes) =>
      context.jobs
        .find(blocked.length === 0 ? query : { $and: [query, { _id: { $nin: blocked } }] }, {
          projection: { uniqueKey: 1 },
          limit: asked,
          ...hintFor(indexes, linkIndex(filter)),
        })
        .toArray(),
    );
    if (found.length === 0) break;
    const { writes, single } = toWrites(found, request, now);
    const { modified, refused } = await write(context.jobs, writes);
    count += modified;
    for (const index of refused) {
      const candidate = single[index];
      if (candidate !== undefined) blocked.push(candidate._id);
    }
    if (found.length < asked || refused.length === 0) break;
  }
  return count;
}

/** The writes, those for single jobs first: so a refused write's place is its job's place. */
function toWrites(
  found: readonly Candidate[],
  request: Change,
  now: Date,
): { writes: AnyBulkWriteOperation<JobDocument>[]; single: Candidate[] } {
  const update = changeUpdate(request, now);
  const may = changeable(request);
  const mayBeBlocked = ({ uniqueKey }: Candidate) => makesActive(request) && uniqueKey !== undefined;
  const single = found.filter(mayBeBlocked);
  const common = found.filter((candidate) => !mayBeBlocked(candidate)).map(({ _id }) => _id);
  const writes: AnyBulkWriteOperation<JobDocument>[] = single.map(({ _id }) => ({
    updateOne: { filter: { _id, ...may }, update },
  }));
  if (common.length > 0) writes.push({ updateMany: { filter: { _id: { $in: common }, ...may }, update } });
  return { writes, single };
}

async function write(
  jobs: MongoContext['jobs'],
  writes: AnyBulkWriteOperation<JobDocument>[],
): Promise<{ modified: number; refused: number[] }> {
  try {
    const { modifiedCount } = await jobs.bulkWrite(writes, { ordered: false });
    return { modified: modifiedCount, refused: [] };
  } catch (error) {
    const partial = partialWrite(error);
    if (partial === undefined || partial.failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return { modified: partial.modified, refused: partial.failures.map(({ index }) => index) };
  }
}
