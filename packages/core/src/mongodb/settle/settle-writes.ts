import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import { type FieldUpdate, toUpdate } from '../documents/field-update.js';
import type { JobDocument } from '../documents/job-document.js';
import type { Planned } from './settle-plan.js';

/** The writes of a batch, one for each update; every one is fenced by the token and the owner of its claims. */
export function settleWrites(planned: readonly Planned[]): AnyBulkWriteOperation<JobDocument>[] {
  const groups = new Map<FieldUpdate, Planned[]>();
  for (const one of planned) {
    const group = groups.get(one.update);
    if (group === undefined) groups.set(one.update, [one]);
    else group.push(one);
  }
  return [...groups].map(([update, group]) => ({
    updateMany: { filter: stillHeld(group), update: toUpdate(update), hint: { _id: 1 } },
  }));
}

/**
 * Those of a group whose claims still hold. The owner must match too and not only the token: the specification's own
 * recovery and claim, which an older Monque runs, know no token and leave the one of the owner before.
 */
export function stillHeld(group: readonly Planned[]): Filter<JobDocument> {
  return {
    _id: { $in: group.map(({ item }) => item.job._id) },
    claimToken: { $in: [...new Set(group.map(({ item }) => item.token))] },
    claimedBy: { $in: [...new Set(group.map(({ item }) => item.job.claimedBy ?? ''))] },
    status: 'processing',
  };
}
