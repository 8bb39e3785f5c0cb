import type { UpdateFilter } from 'mongodb';
import type { ClaimRequest } from '../../store/claim-types.js';
import type { JobDocument } from '../documents/job-document.js';

/** What a claim writes on a job. */
export function claimUpdate({ owner, token, heartbeatInterval }: ClaimRequest): UpdateFilter<JobDocument> {
  return {
    $set: { status: 'processing', claimedBy: owner, claimToken: token, heartbeatInterval },
    // By the server's own clock: recovery measures silence by the same one.
    $currentDate: { lockedAt: true, lastHeartbeat: true, updatedAt: true },
  };
}
