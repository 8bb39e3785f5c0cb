import type { Outcome } from '../../store/settle-types.js';
import type { FieldUpdate } from '../documents/field-update.js';
import { CLAIM_FIELDS, type JobDocument } from '../documents/job-document.js';

/** What an outcome writes to the document of the job that ran, whose claim it ends; for a failed recurring job, to its series. */
export function outcomeUpdate(outcome: Outcome, startedAt: Date, at: Date): FieldUpdate {
  const common = { executedAt: startedAt, updatedAt: at };
  switch (outcome.type) {
    case 'completed':
      return success({ ...common, status: 'completed', finishedAt: at }, outcome.result, {});
    case 'repeat':
      return nextOccurrence(common, outcome.nextRunAt, outcome.result);
    case 'retry':
      return ending({
        ...common,
        status: 'pending',
        nextRunAt: outcome.nextRunAt,
        failCount: outcome.failCount,
        failReason: outcome.reason,
      });
    case 'failed':
      if (outcome.nextRunAt !== undefined) return nextOccurrence(common, outcome.nextRunAt, undefined);
      return ending({
        ...common,
        status: 'failed',
        failCount: outcome.failCount,
        failReason: outcome.reason,
        finishedAt: at,
      });
    case 'cancelled':
      return ending({
        ...common,
        status: 'cancelled',
        finishedAt: at,
        ...(outcome.reason === undefined ? {} : { failReason: outcome.reason }),
      });
    case 'snoozed':
      return ending({ ...common, status: 'pending', nextRunAt: outcome.nextRunAt });
  }
}

function nextOccurrence(common: Partial<JobDocument>, nextRunAt: Date, result: unknown): FieldUpdate {
  return success({ ...common, status: 'pending', nextRunAt, failCount: 0 }, result, { progress: 1 });
}

function success(set: Partial<JobDocument>, result: unknown, unset: Record<string, 1>): FieldUpdate {
  return result === undefined
    ? { set, unset: { ...CLAIM_FIELDS, ...unset, failReason: 1, result: 1 } }
    : { set: { ...set, result }, unset: { ...CLAIM_FIELDS, ...unset, failReason: 1 } };
}

function ending(set: Partial<JobDocument>): FieldUpdate {
  return { set, unset: CLAIM_FIELDS };
}
