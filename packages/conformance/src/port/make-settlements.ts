import type { JobStore, Outcome, SettleBatch, Settled, StoredJob } from '@monque/core';
import { tokenOf } from './make-claims.js';
import { only } from './make-jobs.js';

/** A batch that ends one run. */
export async function batchOf(
  store: JobStore,
  job: StoredJob,
  outcome: Outcome,
  parts: { startedAt?: Date; token?: string } = {},
): Promise<SettleBatch> {
  const at = await store.now();
  const { token = tokenOf(job), startedAt = at } = parts;
  return { at, items: [{ job, token, startedAt, outcome }] };
}

/** Ends one run. */
export async function settle(
  store: JobStore,
  job: StoredJob,
  outcome: Outcome,
  parts: { startedAt?: Date; token?: string } = {},
): Promise<Settled> {
  return only(await store.settle(await batchOf(store, job, outcome, parts)));
}

/** A whole document as it should be after a run, without what the claim put on it. */
export function unclaimed(job: StoredJob): StoredJob {
  const { lockedAt, claimedBy, lastHeartbeat, heartbeatInterval, claimToken, ...rest } = job;
  return rest;
}
