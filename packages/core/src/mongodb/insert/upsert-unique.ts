import type { ClientSession, ObjectId } from 'mongodb';
import { ACTIVE_STATUSES } from '../../job/status.js';
import type { Insert, Inserted } from '../../store/insert-types.js';
import { type JobDocument, toStoredJob } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';
import { findHolders, replaceHolder } from './key-holders.js';

/**
 * Stores a job with a unique key by the specification's upsert, which finds the existing job instead of being refused.
 * Without the unique index two of them at the very same moment may both store; one after the other never do.
 * Index: name_1_uniqueKey_1, or name_1_status_1 where it is missing.
 */
export async function upsertUnique(
  context: MongoContext,
  { job, onDuplicate }: Insert,
  document: JobDocument & { uniqueKey: string },
  session?: ClientSession,
): Promise<Inserted<ObjectId>> {
  if (onDuplicate === 'replace') {
    const replaced = await replaceHolder(context, job, session);
    if (replaced !== undefined) return { job: toStoredJob(replaced), outcome: 'replaced' };
  }
  if (document.status === 'created') return insertHeld(context, document, session);
  const { name, uniqueKey, ...rest } = document;
  const stored = await context.jobs.findOneAndUpdate(
    { name, uniqueKey, status: { $in: [...ACTIVE_STATUSES] } },
    { $setOnInsert: rest },
    { upsert: true, returnDocument: 'after', ...(session !== undefined && { session }) },
  );
  // An upsert always answers a document; ours carries the id that was made for it.
  if (stored === null || stored._id.equals(document._id))
    return { job: toStoredJob(document), outcome: 'inserted' };
  return { job: toStoredJob(stored), outcome: 'existing' };
}

/** A held job does not occupy its key yet, so an upsert cannot find it; a key that is taken keeps it out all the same. */
async function insertHeld(
  context: MongoContext,
  document: JobDocument,
  session: ClientSession | undefined,
): Promise<Inserted<ObjectId>> {
  const [holder] = (await findHolders(context, [document], session)).values();
  if (holder !== undefined) return { job: toStoredJob(holder), outcome: 'existing' };
  await context.jobs.insertOne(document, { ...(session !== undefined && { session }) });
  return { job: toStoredJob(document), outcome: 'inserted' };
}
