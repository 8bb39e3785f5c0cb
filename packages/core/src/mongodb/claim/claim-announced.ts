import type { ObjectId } from 'mongodb';
import type { ClaimRequest } from '../../store/claim-types.js';
import type { StoredJob } from '../../store/query-types.js';
import { toStoredJob } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';
import { claimUpdate } from './claim-update.js';

/**
 * Whether a claim may take an announced job unseen: not where it could take the only free slot from a more urgent one
 * of which nobody has told yet.
 */
export function mayClaimAnnounced({ wants, total }: ClaimRequest): boolean {
  return total > 1 && wants.every(({ limit }) => limit > 1);
}

/**
 * Takes one job in one round trip instead of two: somebody waits for it to start. Found by its id, it costs the server
 * half of what the first due one of an index costs. Undefined where it is not due, is another's or was changed.
 * Index: _id_.
 */
export async function claimAnnounced(
  { jobs, owners }: MongoContext,
  id: ObjectId,
  request: ClaimRequest,
): Promise<StoredJob<ObjectId> | undefined> {
  owners.note(request.token, request.owner);
  const document = await jobs.findOneAndUpdate(
    {
      _id: id,
      name: { $in: request.wants.map(({ name }) => name) },
      status: 'pending',
      nextRunAt: { $lte: request.now },
      claimedBy: null,
    },
    claimUpdate(request),
    { returnDocument: 'after', hint: { _id: 1 } },
  );
  return document === null ? undefined : toStoredJob(document);
}
