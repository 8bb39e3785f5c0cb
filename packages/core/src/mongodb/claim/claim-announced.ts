import type { Document, Filter, ObjectId } from 'mongodb';
import type { ClaimRequest } from '../../store/claim-types.js';
import type { StoredJob } from '../../store/query-types.js';
import { type JobDocument, toStoredJob } from '../documents/job-document.js';
import { hinting, type MongoContext } from '../mongo-context.js';
import { claimUpdate } from './claim-update.js';
import { NAMES_PER_QUERY } from './due-queries.js';

/**
 * Whether a claim may take the first plain job unseen: not where it could take the only free slot from a job with a
 * priority, which nobody has looked for yet.
 */
export function mayClaimFirst({ wants, total }: ClaimRequest): boolean {
  return total > 1 && wants.length <= NAMES_PER_QUERY && wants.every(({ limit }) => limit > 1);
}

/**
 * Finds and takes the plain job that has been due for the longest, in one round trip instead of two: after a silence
 * that is nearly always the one job that ended it, and somebody waits for it to start.
 * Index: name_1_status_1_nextRunAt_1_claimedBy_1.
 */
export async function claimFirst(
  context: MongoContext,
  request: ClaimRequest,
): Promise<StoredJob<ObjectId> | undefined> {
  const due: Filter<JobDocument> = {
    name: { $in: request.wants.map(({ name }) => name) },
    status: 'pending',
    nextRunAt: { $lte: request.now },
    claimedBy: null,
    priority: null,
  };
  const document = await context.withIndexes((indexes) =>
    context.jobs.findOneAndUpdate(due, claimUpdate(request), {
      sort: { nextRunAt: 1 },
      returnDocument: 'after',
      // The driver's type knows an index by its keys only; the server takes a name here as everywhere.
      ...(hinting(indexes.plainDue) as object as { hint?: Document }),
    }),
  );
  return document === null ? undefined : toStoredJob(document);
}
