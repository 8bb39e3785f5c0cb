import type { ObjectId } from 'mongodb';
import type { Outcome } from '../../store/settle-types.js';
import { applyUpdate } from '../documents/field-update.js';
import { type JobDocument, withoutFields } from '../documents/job-document.js';
import { DUPLICATE_KEY, partialWrite } from '../driver-errors.js';
import type { MongoContext } from '../mongo-context.js';
import { outcomeUpdate } from './outcome-update.js';
import type { Planned } from './settle-plan.js';
import { stillHeld } from './settle-writes.js';

/**
 * The failed copy of a recurring job. It is no longer recurring: the series has its own document, and retrying the
 * copy must not start another. And it is new: a series may be old, but those who remove old jobs do not mean it.
 */
export function failedCopy({ job, item }: Planned, id: ObjectId, at: Date): JobDocument {
  const { nextRunAt: _, ...final } = item.outcome as Extract<Outcome, { type: 'failed' }>;
  const failed = applyUpdate(job, outcomeUpdate(final, item.startedAt, at));
  return { ...withoutFields(failed, { repeatInterval: 1, timezone: 1 }), _id: id, createdAt: at };
}

/**
 * Stores the failed copies of recurring jobs whose claims still hold, and answers these. A copy that is there already
 * is from an earlier try. Index: _id_.
 */
export async function keepCopies(
  { jobs }: MongoContext,
  planned: readonly Planned[],
  at: Date,
): Promise<Planned[]> {
  const failed = planned.filter(({ copyId }) => copyId !== undefined);
  if (failed.length === 0) return [];
  const held = await jobs.find(stillHeld(failed), { hint: { _id: 1 } }).toArray();
  const documents = new Map(held.map((document) => [document._id.toHexString(), document]));
  const kept: Planned[] = [];
  const copies: JobDocument[] = [];
  for (const one of failed) {
    const job = documents.get(one.item.job._id.toHexString());
    if (job === undefined || one.copyId === undefined) continue;
    kept.push(one);
    // Of what is stored, and not of what was claimed: its handler may have changed its data, into something, even,
    // that cannot be stored.
    copies.push(failedCopy({ ...one, job }, one.copyId, at));
  }
  if (copies.length === 0) return [];
  try {
    await jobs.insertMany(copies, { ordered: false });
  } catch (error) {
    const refused = partialWrite(error)?.failures;
    if (refused === undefined || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
  return kept;
}

/** Removes the copies of those that lost their claims between the two writes. Index: _id_. */
export async function discardCopies({ jobs }: MongoContext, planned: readonly Planned[]): Promise<void> {
  const ids = planned.flatMap(({ copyId }) => (copyId === undefined ? [] : [copyId]));
  if (ids.length > 0) await jobs.deleteMany({ _id: { $in: ids } });
}
