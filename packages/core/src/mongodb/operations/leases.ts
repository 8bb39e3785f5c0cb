import type { Filter, ObjectId } from 'mongodb';
import type { HeldClaim, LostClaim } from '../../store/claim-types.js';
import { CLAIM_FIELDS, type JobDocument } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';

type Claims = readonly HeldClaim<ObjectId>[];

/**
 * Renews claims by the server's clock. `lockedAt` moves with `lastHeartbeat`: then the specification's recovery, whoever
 * runs it, never takes a live job. By id and not only by owner and token, because a token covers all jobs of one
 * claim, and the count is to tell about these jobs. Index: _id_.
 */
export async function renew(
  { jobs }: MongoContext,
  owner: string,
  claims: Claims,
): Promise<LostClaim<ObjectId>[]> {
  if (claims.length === 0) return [];
  const { matchedCount } = await jobs.updateMany(
    { ...held(claims), claimedBy: owner },
    { $currentDate: { lockedAt: true, lastHeartbeat: true, updatedAt: true } },
    { hint: { _id: 1 } },
  );
  return matchedCount >= claims.length ? [] : lostAmong(jobs, owner, claims);
}

/** Tells which claims no longer hold. Index: _id_. */
export async function verify(
  { jobs }: MongoContext,
  owner: string,
  claims: Claims,
): Promise<LostClaim<ObjectId>[]> {
  return claims.length === 0 ? [] : lostAmong(jobs, owner, claims);
}

/** Gives unstarted claims back as they were. Index: _id_. */
export async function release({ jobs, owners }: MongoContext, claims: Claims, now: Date): Promise<void> {
  if (claims.length === 0) return;
  await jobs.updateMany(
    { ...held(claims), ...owners.fence(claims.map(({ token }) => token)) },
    { $set: { status: 'pending', updatedAt: now }, $unset: CLAIM_FIELDS },
    { hint: { _id: 1 } },
  );
}

function held(claims: Claims): Filter<JobDocument> {
  return {
    _id: { $in: claims.map(({ id }) => id) },
    claimToken: { $in: [...new Set(claims.map(({ token }) => token))] },
    status: 'processing',
  };
}

async function lostAmong(
  jobs: MongoContext['jobs'],
  owner: string,
  claims: Claims,
): Promise<LostClaim<ObjectId>[]> {
  const documents = await jobs
    .find(
      { _id: { $in: claims.map(({ id }) => id) } },
      { projection: { status: 1, claimedBy: 1, claimToken: 1 }, hint: { _id: 1 } },
    )
    .toArray();
  const byId = new Map(documents.map((document) => [document._id.toHexString(), document]));
  return claims.flatMap(({ id, token }) => {
    const job = byId.get(id.toHexString());
    if (job?.status === 'processing' && job.claimToken === token && job.claimedBy === owner) return [];
    return [{ id, token, reason: lossOf(job) }];
  });
}

function lossOf(job: JobDocument | undefined): LostClaim['reason'] {
  if (job === undefined) return 'deleted';
  return job.status === 'cancelled' ? 'cancelled' : 'taken';
}
