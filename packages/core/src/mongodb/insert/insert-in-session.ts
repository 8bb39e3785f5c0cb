import type { ClientSession, ObjectId } from 'mongodb';
import type { Insert, Inserted } from '../../store/insert-types.js';
import { type JobDocument, toStoredJob } from '../documents/job-document.js';
import { newDocument } from '../documents/new-document.js';
import type { MongoContext } from '../mongo-context.js';
import { upsertUnique } from './upsert-unique.js';

/**
 * Stores jobs within the user's own transaction. A duplicate key error would abort it, so a job with a unique key is
 * stored by the specification's upsert, which finds the existing job instead. One after the other: a transaction
 * takes one operation at a time. Write concern is the transaction's own; the driver leaves ours out.
 * Index: name_1_uniqueKey_1.
 */
export async function insertInSession(
  context: MongoContext,
  inserts: readonly Insert[],
  session: ClientSession,
): Promise<Inserted<ObjectId>[]> {
  const answers: Inserted<ObjectId>[] = [];
  const free: JobDocument[] = [];
  for (const one of inserts) {
    const document = newDocument(context.newId(), one.job);
    const { uniqueKey } = document;
    if (uniqueKey === undefined) {
      free.push(document);
      answers.push({ job: toStoredJob(document), outcome: 'inserted' });
    } else {
      answers.push(await upsertUnique(context, one, { ...document, uniqueKey }, session));
    }
  }
  if (free.length > 0) await context.jobs.insertMany(free, { ordered: false, session });
  return answers;
}
