import type { Filter, ObjectId } from 'mongodb';
import { WAITING_STATUSES } from '../../job/status.js';
import type { JobFilter } from '../../store/query-types.js';
import type { JobDocument } from '../documents/job-document.js';
import { hintFor, hinting, type MongoContext } from '../mongo-context.js';
import { linkIndex, toQuery } from './filter.js';

/**
 * Removes jobs and their logs. The logs go first: a crash between the two leaves jobs that can be removed again, and
 * no lines that nobody would ever find. What waits for the removed jobs goes after them: a crash before that leaves
 * jobs that wait for nobody, which the sweep of any process removes. Index: _id_, and jobId_1_at_1 of the logs.
 *
 * @param still - What must hold of them when they go.
 */
export async function remove(
  context: MongoContext,
  ids: readonly ObjectId[],
  still: Filter<JobDocument> = {},
): Promise<number> {
  if (ids.length === 0) return 0;
  await context.logs.deleteMany({ jobId: { $in: [...ids] } });
  const { deletedCount } = await context.jobs.deleteMany({ $and: [{ _id: { $in: [...ids] } }, still] });
  const gone = deletedCount === ids.length ? ids : await missing(context, ids);
  return deletedCount + (await removeChildren(context, gone));
}

/** Removes what waits for jobs that are gone, and takes them off what does not, or no longer. */
async function removeChildren(context: MongoContext, parents: readonly ObjectId[]): Promise<number> {
  const waiting = await leaveChildren(context, parents);
  if (waiting.length === 0) return 0;
  const removed = await remove(context, waiting, { status: { $in: [...WAITING_STATUSES] } });
  // One that was let go a moment ago is still there.
  await context.jobs.updateMany({ _id: { $in: waiting } }, { $unset: { parentJobId: 1 } });
  return removed;
}

/** Which of these are not stored. Index: _id_. */
async function missing({ jobs }: MongoContext, ids: readonly ObjectId[]): Promise<ObjectId[]> {
  const found = await jobs
    .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 }, hint: { _id: 1 } })
    .toArray();
  const stored = new Set(found.map(({ _id }) => _id.toHexString()));
  return ids.filter((id) => !stored.has(id.toHexString()));
}

/** Takes jobs that are gone off those that followed them; answers those that wait in vain. Index: parentJobId_1_status_1. */
async function leaveChildren(context: MongoContext, parents: readonly ObjectId[]): Promise<ObjectId[]> {
  const children = { parentJobId: { $in: [...parents] } };
  return context.withIndexes(async (indexes) => {
    const waiting = await context.jobs
      .find(
        { ...children, status: { $in: [...WAITING_STATUSES] } },
        { projection: { _id: 1 }, ...hinting(indexes.children) },
      )
      .toArray();
    await context.jobs.updateMany(
      { ...children, status: { $nin: [...WAITING_STATUSES] } },
      { $unset: { parentJobId: 1 } },
      hinting(indexes.children),
    );
    return waiting.map(({ _id }) => _id);
  });
}

/**
 * Removes matching jobs; one that somebody has set to run again since it was found stays. Index: name_1_status_1, status_1_updatedAt_1 for retention, or that of the filter's parents or
 * batch.
 */
export async function removeWhere(context: MongoContext, filter: JobFilter, limit: number): Promise<number> {
  const query = toQuery(filter);
  const found = await context.withIndexes((indexes) =>
    context.jobs
      .find(query, { projection: { _id: 1 }, limit, ...hintFor(indexes, linkIndex(filter)) })
      .toArray(),
  );
  return remove(
    context,
    found.map(({ _id }) => _id),
    query,
  );
}
