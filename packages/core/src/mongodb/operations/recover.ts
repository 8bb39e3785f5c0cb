import type { Filter } from 'mongodb';
import type { RecoverRequest } from '../../store/claim-types.js';
import { CLAIM_FIELDS, type JobDocument } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';

/**
 * Gives back what dead processes held. A heartbeat renews `lockedAt`, so an old `lockedAt` means that nobody
 * renewed it: the specification's own query, with a longer patience for claims of an older Monque, which renews
 * nothing and sets no token. The engine's time narrows the search to the index, and `$$NOW` decides, so that a wrong
 * clock takes nothing that lives.
 *
 * Index: lockedAt_1_lastHeartbeat_1_status_1.
 */
export async function recover({ jobs }: MongoContext, request: RecoverRequest): Promise<number> {
  const { lockTimeout, legacyLockTimeout } = request;
  const { modifiedCount } = await jobs.updateMany(
    {
      status: 'processing',
      $or: [
        { ...silent('lockedAt', lockTimeout, request.now), claimToken: { $type: 'string' } },
        { ...silent('lockedAt', legacyLockTimeout, request.now), claimToken: null },
        // Written by others, who did not say when they took it.
        { lockedAt: null, ...silent('updatedAt', legacyLockTimeout, request.now) },
      ],
    },
    { $set: { status: 'pending' }, $currentDate: { updatedAt: true }, $unset: CLAIM_FIELDS },
  );
  return modifiedCount;
}

function silent(field: 'lockedAt' | 'updatedAt', timeout: number, now: Date): Filter<JobDocument> {
  return {
    [field]: { $lt: new Date(now.getTime() - timeout) },
    $expr: { $lt: [`$${field}`, { $subtract: ['$$NOW', timeout] }] },
  };
}
