import type { Condition, Filter, ObjectId } from 'mongodb';
import type { JobFilter, TimeRange } from '../../store/query-types.js';
import type { JobDocument } from '../documents/job-document.js';
import type { IndexRole } from '../indexes/index-specs.js';

/** The earliest time there is. A range that starts here holds every time, and leaves out what is no time at all. */
export const BEGINNING_OF_TIME = new Date(-8_640_000_000_000_000);

/**
 * A query from a filter. Every value stands under an operator of ours (`$eq`, `$in`, `$gte`, `$lte`), so that none can
 * act as one itself.
 *
 * Index: name_1_status_1. A filter by status alone asks for any name too: the server then jumps from name to
 * name inside that index, instead of reading every job.
 */
export function toQuery(filter: JobFilter): Filter<JobDocument> {
  const { name, uniqueKey, statuses, forgone, createdAt, updatedAt, nextRunAt } = filter;
  const query: Filter<JobDocument> = toLinkQuery(filter);
  if (name !== undefined) query.name = { $eq: name };
  else if ((statuses !== undefined || forgone) && Object.keys(query).length === 0) query.name = { $gte: '' };
  if (uniqueKey !== undefined) query.uniqueKey = { $eq: uniqueKey };
  if (statuses !== undefined) query.status = { $in: [...statuses] };
  if (isBounded(createdAt)) query.createdAt = inRange(createdAt);
  if (isBounded(updatedAt)) query.updatedAt = inRange(updatedAt);
  if (isBounded(nextRunAt)) query.nextRunAt = inRange(nextRunAt);
  if (forgone !== undefined) query[forgone ? '$and' : '$nor'] = [FORGONE];
  return query;
}

/**
 * The part of a query about other jobs and batches. Index: _id_, parentJobId_1_status_1 or
 * batchId_1_status_1_awaitsBatchId_1, partial: jobs that have one.
 */
function toLinkQuery({ ids, parents, memberOf, awaitsBatch, fill }: JobFilter): Filter<JobDocument> {
  const query: Filter<JobDocument> = {};
  if (ids !== undefined) query._id = { $in: [...ids] as ObjectId[] };
  if (parents !== undefined) query.parentJobId = { $in: [...parents] as ObjectId[] };
  const batch = memberOf ?? awaitsBatch;
  if (batch !== undefined) query.batchId = { $eq: batch };
  if (memberOf !== undefined) query.awaitsBatchId = { $eq: null };
  if (awaitsBatch !== undefined) query.awaitsBatchId = { $eq: awaitsBatch };
  if (fill !== undefined) query.claimToken = { $eq: fill };
  return query;
}

/** Jobs that never ran because what they were to follow ended in the wrong way: cancelling by hand gives no reason. */
export const FORGONE: Filter<JobDocument> = {
  status: 'cancelled',
  executedAt: { $eq: null },
  failReason: { $type: 'string' },
  $or: [{ parentJobId: { $exists: true } }, { awaitsBatchId: { $exists: true } }],
};

/** The index for what a filter says about other jobs and batches; undefined where it says nothing. */
export function linkIndex(filter: JobFilter): IndexRole | undefined {
  const { ids, parents, memberOf, awaitsBatch, fill, forgone } = filter;
  if (ids !== undefined) return undefined;
  if (parents !== undefined) return 'children';
  if (memberOf !== undefined || awaitsBatch !== undefined) return 'batch';
  if (fill !== undefined) return 'waiting';
  // In the order of their ids it would walk over all jobs there are.
  return forgone ? 'nameStatus' : undefined;
}

/** Whether a range leaves anything out. */
export function isBounded(range: TimeRange | undefined): range is TimeRange {
  return range?.from !== undefined || range?.to !== undefined;
}

/** What is not outside the range, where it may be absent: an absent field, or one of another type, is on neither side. */
function inRange(range: TimeRange): Condition<Date> {
  if (range.orAbsent !== true) return within(range);
  const { from, to } = range;
  return { $not: { ...(from === undefined ? {} : { $lt: from }), ...(to === undefined ? {} : { $gt: to }) } };
}

/** A condition that holds for times of the range only. */
export function within({ from, to }: TimeRange): { $gte: Date; $lte?: Date } {
  return { $gte: from ?? BEGINNING_OF_TIME, ...(to === undefined ? {} : { $lte: to }) };
}
