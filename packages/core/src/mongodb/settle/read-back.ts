import type { JobDocument } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';
import { type Planned, START_WINDOW_MS } from './settle-plan.js';

/** What the documents of a batch look like after it was written. */
export interface ReadBack {
  /** Whether the outcome was stored, by this try or by an earlier one whose answer never came. */
  isApplied(one: Planned): boolean;
  /** Whether a series has left the occurrence that ran, by whoever's hand. */
  hasMovedOn(one: Planned): boolean;
}

/** What is read where every outcome is known to be stored. */
export const ALL_APPLIED: ReadBack = { isApplied: () => true, hasMovedOn: () => true };

/** Looks which outcomes of a batch are stored, when some matched nothing. Index: _id_. */
export async function readBack(
  { jobs }: MongoContext,
  planned: readonly Planned[],
  at: Date,
): Promise<ReadBack> {
  const stored = await jobs
    .find(
      { _id: { $in: planned.map(({ item }) => item.job._id) } },
      {
        projection: { status: 1, nextRunAt: 1, updatedAt: 1, executedAt: 1, finishedAt: 1 },
        hint: { _id: 1 },
      },
    )
    .toArray();
  const byId = new Map<string, JobDocument>(stored.map((document) => [document._id.toHexString(), document]));
  const documentOf = ({ item }: Planned) => byId.get(item.job._id.toHexString());
  return {
    isApplied(one) {
      const document = documentOf(one);
      return document !== undefined && (isAsWritten(document, one, at) || hasGoneOn(document, one, at));
    },
    hasMovedOn(one) {
      const document = documentOf(one);
      return document !== undefined && !isSameTime(document.nextRunAt, one.job.nextRunAt);
    },
  };
}

/** Nothing has happened to the document since: status and times are exactly those of the batch. */
function isAsWritten(document: JobDocument, { update: { set } }: Planned, at: Date): boolean {
  if (document.status !== set.status || !isSameTime(document.updatedAt, at)) return false;
  return set.nextRunAt === undefined || isSameTime(document.nextRunAt, set.nextRunAt);
}

/**
 * Something has: the job was retried by hand, claimed again or cancelled right after this write. It still bears the
 * start of this run, which its outcome writes and nothing else, until the outcome of the next run. One that has even
 * ended another run by now counts as lost. The end must not contradict: it is this one's own or, for a job that was
 * to go on, that of a cancellation.
 */
function hasGoneOn(document: JobDocument, one: Planned, at: Date): boolean {
  if (!bearsStart(document, one)) return false;
  if (document.finishedAt === undefined) return true;
  const isOwnEnd = one.update.set.finishedAt !== undefined && isSameTime(document.finishedAt, at);
  return isOwnEnd || (one.update.set.finishedAt === undefined && document.status === 'cancelled');
}

/**
 * Runs that share a write share the earliest start of a few milliseconds, which may differ from one try to the next.
 */
function bearsStart({ executedAt }: JobDocument, { item, job }: Planned): boolean {
  // The run before this one began just as early: the start tells nothing.
  if (!(executedAt instanceof Date) || isSameTime(executedAt, job.executedAt)) return false;
  const before = item.startedAt.getTime() - executedAt.getTime();
  return before >= 0 && before < START_WINDOW_MS;
}

function isSameTime(one: Date | null | undefined, other: Date | null | undefined): boolean {
  return one?.getTime?.() === other?.getTime?.();
}
