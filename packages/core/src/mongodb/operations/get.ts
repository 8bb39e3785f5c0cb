import type { ObjectId } from 'mongodb';
import type { StoredJob } from '../../store/query-types.js';
import { toStoredJob } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';

/** Reads jobs by id. Index: _id_. */
export async function get({ jobs }: MongoContext, ids: readonly ObjectId[]): Promise<StoredJob<ObjectId>[]> {
  if (ids.length === 0) return [];
  const documents = await jobs.find({ _id: { $in: [...ids] } }).toArray();
  return documents.map(toStoredJob);
}
