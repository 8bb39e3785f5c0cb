import type { ObjectId } from 'mongodb';
import type { StoredJob } from '../../store/query-types.js';
import { toStoredJob } from '../documents/job-document.js';
import { hinting, type MongoContext } from '../mongo-context.js';

/**
 * A job that this owner holds and has renewed since: then a live process uses the owner's id.
 * Index: claimedBy_1_status_1.
 */
export async function findLiveClaim(
  context: MongoContext,
  owner: string,
  since: Date,
): Promise<StoredJob<ObjectId> | undefined> {
  const job = await context.withIndexes((indexes) =>
    context.jobs.findOne(
      {
        claimedBy: owner,
        status: 'processing',
        $or: [{ lastHeartbeat: { $gte: since } }, { lastHeartbeat: null, lockedAt: { $gte: since } }],
      },
      hinting(indexes.owner),
    ),
  );
  return job === null ? undefined : toStoredJob(job);
}
