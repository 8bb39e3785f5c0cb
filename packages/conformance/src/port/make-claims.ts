import type { ClaimRequest, ClaimResult, HeldClaim, JobStore, NewJob, StoredJob } from '@monque/core';
import { addOne, only, stored } from './make-jobs.js';

let tokens = 0;

/** A token that no other claim has. */
export function newToken(): string {
  tokens += 1;
  return `token-${process.pid}-${tokens}`;
}

/** A request for up to 100 jobs called `work`, with whatever the test cares about. */
async function request(store: JobStore, parts: Partial<ClaimRequest> = {}): Promise<ClaimRequest> {
  return {
    owner: 'owner',
    token: newToken(),
    wants: [{ name: 'work', limit: 100 }],
    total: 100,
    now: await store.now(),
    heartbeatInterval: 1_000,
    ...parts,
  };
}

/** Claims once. */
export async function claim(store: JobStore, parts: Partial<ClaimRequest> = {}): Promise<ClaimResult> {
  return store.claim(await request(store, parts));
}

/**
 * Claims the one job that is due, and reads it: a store may stamp a claim by its own clock, a moment from the time
 * that its answer carries.
 */
export async function claimOne(store: JobStore, parts: Partial<ClaimRequest> = {}): Promise<StoredJob> {
  return stored(store, only((await claim(store, parts)).jobs));
}

/** Stores a job and claims it. */
export async function addClaimed(
  store: JobStore,
  parts: Partial<NewJob> = {},
  claimParts: Partial<ClaimRequest> = {},
): Promise<StoredJob> {
  const { name } = await addOne(store, parts);
  return claimOne(store, { wants: [{ name, limit: 1 }], ...claimParts });
}

/** Claims in small portions until nothing more is due. */
export function claimAll(store: JobStore, owner: string, limit = 25): Promise<StoredJob[]> {
  return claimUntilDone(store, { owner, wants: [{ name: 'work', limit }], total: limit });
}

/** Claims for as long as the store says that more may be due: one claim may take less than there is. */
export async function claimUntilDone(
  store: JobStore,
  parts: Partial<ClaimRequest> = {},
): Promise<StoredJob[]> {
  const all: StoredJob[] = [];
  for (;;) {
    const { jobs, more } = await claim(store, parts);
    all.push(...jobs);
    if (!more) return all;
  }
}

/** What a process believes to hold after a claim. */
export function held(job: StoredJob): HeldClaim {
  return { id: job._id, token: tokenOf(job) };
}

/** The token of a claimed job. */
export function tokenOf(job: StoredJob): string {
  if (job.claimToken === undefined) throw new Error('The job is not claimed');
  return job.claimToken;
}

/** Fields that only a claimed job has. */
export const CLAIM_FIELDS = [
  'lockedAt',
  'claimedBy',
  'lastHeartbeat',
  'heartbeatInterval',
  'claimToken',
] as const;

/** Those of the given fields whose key a job has, whatever the value. */
export function present(job: StoredJob, fields: readonly string[]): string[] {
  return fields.filter((field) => field in job);
}
