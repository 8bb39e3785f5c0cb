import type { HeldClaim, LostClaim, RecoverRequest } from '../claim-types.js';
import type { JobTable } from './job-table.js';
import { isHeld, type MemoryJob, unclaimed } from './memory-job.js';

/** Gives unstarted claims back. */
export function release(table: JobTable, claims: readonly HeldClaim<string>[], now: Date): void {
  for (const { id, token } of claims) {
    const job = table.get(id);
    if (isHeld(job, token)) table.put({ ...unclaimed(job), status: 'pending', updatedAt: now });
  }
}

/** Which of these claims no longer hold. */
export function lostClaims(
  table: JobTable,
  owner: string,
  claims: readonly HeldClaim<string>[],
): LostClaim<string>[] {
  return claims.flatMap(({ id, token }) => {
    const job = table.get(id);
    if (isHeld(job, token) && job.claimedBy === owner) return [];
    return [{ id, token, reason: lossOf(job) }];
  });
}

/** Renews the claims that hold; answers the others. */
export function renew(
  table: JobTable,
  owner: string,
  claims: readonly HeldClaim<string>[],
  serverTime: Date,
): LostClaim<string>[] {
  const lost = lostClaims(table, owner, claims);
  const lostIds = new Set(lost.map(({ id }) => id));
  for (const { id } of claims) {
    const job = table.get(id);
    if (job === undefined || lostIds.has(id)) continue;
    table.put({ ...job, lockedAt: serverTime, lastHeartbeat: serverTime, updatedAt: serverTime });
  }
  return lost;
}

/** Gives back what dead owners held; answers how many. */
export function recover(table: JobTable, request: RecoverRequest, serverTime: Date): number {
  const dead = [...table.all()].filter((job) => isAbandoned(job, request, serverTime));
  for (const job of dead) table.put({ ...unclaimed(job), status: 'pending', updatedAt: serverTime });
  return dead.length;
}

/** A job that this owner holds and has renewed since. */
export function findLiveClaim(table: JobTable, owner: string, since: Date): MemoryJob | undefined {
  for (const job of table.all()) {
    const lastSign = job.lastHeartbeat ?? job.lockedAt;
    if (job.status === 'processing' && job.claimedBy === owner && lastSign && lastSign >= since) return job;
  }
  return undefined;
}

function lossOf(job: MemoryJob | undefined): LostClaim['reason'] {
  if (job === undefined) return 'deleted';
  return job.status === 'cancelled' ? 'cancelled' : 'taken';
}

function isAbandoned(job: MemoryJob, request: RecoverRequest, serverTime: Date): boolean {
  if (job.status !== 'processing') return false;
  // Written by others, who set no token and may not say when they took it.
  const isOurs = job.lockedAt && typeof job.claimToken === 'string';
  const timeout = isOurs ? request.lockTimeout : request.legacyLockTimeout;
  const lastSign: Date | undefined = job.lockedAt ?? job.updatedAt;
  return lastSign !== undefined && lastSign.getTime() < serverTime.getTime() - timeout;
}
