import type { Document, Filter, UpdateFilter } from 'mongodb';
import { type Change, changeableStatuses } from '../../store/change-types.js';
import { applyUpdate, type FieldUpdate, toUpdate } from '../documents/field-update.js';
import { CLAIM_FIELDS, type JobDocument } from '../documents/job-document.js';
import { FORGONE } from './filter.js';

/** Whether a change makes a job active, and so may meet another that holds its unique key. */
export function makesActive(change: Change): boolean {
  return change.type === 'retry' || change.type === 'release' || change.type === 'proceed';
}

/** Jobs to which a change may be made. */
export function changeable(change: Change): Filter<JobDocument> {
  if (change.type === 'await') return FORGONE;
  const status = { $in: [...changeableStatuses(change)] };
  // A member that its fill has not released yet is nobody else's business.
  return change.type === 'cancel' ? { status, $nor: [UNRELEASED] } : { status };
}

const UNRELEASED: Filter<JobDocument> = { status: 'awaiting-batch', claimToken: { $type: 'string' } };

/** What a change writes, beside what depends on the job itself. */
function changeFields(change: Change, now: Date): FieldUpdate {
  switch (change.type) {
    case 'cancel':
      // Without its token the run has lost its claim, and whatever it comes to counts for nothing.
      return { set: { status: 'cancelled', finishedAt: now, updatedAt: now }, unset: CLAIM_FIELDS };
    case 'retry':
      return {
        set: { status: 'pending', failCount: 0, nextRunAt: now, updatedAt: now },
        unset: { ...CLAIM_FIELDS, failReason: 1, finishedAt: 1, result: 1, progress: 1 },
      };
    case 'reschedule':
      return { set: { nextRunAt: change.runAt, updatedAt: now }, unset: {} };
    case 'release':
    case 'proceed':
      return { set: { status: 'pending', updatedAt: now }, unset: CLAIM_FIELDS };
    case 'forgo':
      return {
        set: { status: 'cancelled', failReason: change.reason, finishedAt: now, updatedAt: now },
        unset: {},
      };
    case 'await':
      return { set: { updatedAt: now }, unset: { failReason: 1, finishedAt: 1 } };
  }
}

/**
 * The update of a change. A job that goes on keeps the later of due time and now; the server passes over a missing one.
 * A job that waits again waits for what it follows.
 */
export function changeUpdate(change: Change, now: Date): UpdateFilter<JobDocument> | Document[] {
  const { set, unset } = changeFields(change, now);
  switch (change.type) {
    case 'release':
    case 'proceed':
      return pipeline({ ...set, nextRunAt: { $max: ['$nextRunAt', now] } }, unset);
    case 'await':
      return pipeline(
        { ...set, status: { $cond: [FOLLOWS_BATCH, 'awaiting-batch', 'awaiting-continuation'] } },
        unset,
      );
    default:
      return toUpdate({ set, unset });
  }
}

const FOLLOWS_BATCH = { $eq: [{ $type: '$awaitsBatchId' }, 'string'] };

function pipeline(set: Document, unset: object): Document[] {
  return [{ $set: set }, { $unset: Object.keys(unset) }];
}

/** The job after a change, without another read. */
export function changedJob(job: JobDocument, change: Change, now: Date): JobDocument {
  const changed = applyUpdate(job, changeFields(change, now));
  switch (change.type) {
    case 'release':
    case 'proceed':
      return { ...changed, nextRunAt: job.nextRunAt > now ? job.nextRunAt : now };
    case 'await':
      return {
        ...changed,
        status: job.awaitsBatchId === undefined ? 'awaiting-continuation' : 'awaiting-batch',
      };
    default:
      return changed;
  }
}
