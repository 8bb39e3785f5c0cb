import type { ObjectId } from 'mongodb';
import type { SettleBatch, Settled } from '../../store/settle-types.js';
import { applyUpdate } from '../documents/field-update.js';
import { type JobDocument, toStoredJob } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';
import type { ProgressNotes } from '../operations/progress.js';
import { ALL_APPLIED, readBack } from './read-back.js';
import { discardCopies, failedCopy, keepCopies } from './series-copies.js';
import { type Planned, planBatch } from './settle-plan.js';
import { settleWrites } from './settle-writes.js';

/**
 * Writes outcomes in one unordered batch, in which outcomes that write the same values share one update. Each is
 * fenced by its token, so one whose claim no longer holds matches nothing. Index: _id_.
 *
 * A failed recurring job takes two writes: first the copy, then the series moves on. A crash between them leaves
 * the series claimed; recovery gives it back and it runs again, so at worst there is a second copy, and
 * never a series that has ended.
 */
export async function settle(
  context: MongoContext,
  progress: ProgressNotes,
  batch: SettleBatch<ObjectId>,
): Promise<Settled<ObjectId>[]> {
  const { at, items } = batch;
  if (items.length === 0) return [];
  const planned = planBatch(batch, progress, () => context.newId());
  const copied = await keepCopies(context, planned, at);
  const { matchedCount } = await context.jobs.bulkWrite(settleWrites(planned), { ordered: false });
  // Ids are distinct, so the count tells whether every single one matched.
  const after = matchedCount === items.length ? ALL_APPLIED : await readBack(context, planned, at);
  // A copy of a series that has moved on may be the only trace of its failure.
  await discardCopies(
    context,
    copied.filter((one) => !after.isApplied(one) && !after.hasMovedOn(one)),
  );
  for (const { job, token } of items) progress.forget(job._id, token);
  return planned.map((one) =>
    after.isApplied(one)
      ? { applied: true, job: toStoredJob(jobAfter(one, at)) }
      : { applied: false, job: one.item.job },
  );
}

function jobAfter(one: Planned, at: Date): JobDocument {
  return one.copyId === undefined ? applyUpdate(one.job, one.update) : failedCopy(one, one.copyId, at);
}
