import type { Db, ObjectId } from 'mongodb';
import { mongoStore } from '../../src/mongodb/mongo-store.js';
import type { ClaimRequest } from '../../src/store/claim-types.js';
import type { Insert, NewJob } from '../../src/store/insert-types.js';
import type { JobStore } from '../../src/store/port.js';
import type { StoreOptions } from '../../src/store/store-options.js';

/** A moment at which every job of these tests is due. */
export const PAST = new Date('2026-01-05T10:00:00Z');

/** A moment at which none is. */
export const FUTURE = new Date('2999-01-01T00:00:00Z');

/** A store on this database, open. */
export async function openStore(db: Db, options: Partial<StoreOptions> = {}): Promise<JobStore<ObjectId>> {
  const store = mongoStore(db);
  await store.open({ collectionName: 'monque_jobs', skipIndexCreation: false, retention: false, ...options });
  return store;
}

/** A request to store a job called `work`. */
export function toInsert(parts: Partial<NewJob> = {}): Insert {
  const job: NewJob = {
    name: 'work',
    data: {},
    status: 'pending',
    nextRunAt: PAST,
    createdAt: PAST,
    ...parts,
  };
  return { job, onDuplicate: 'keep' };
}

/** Requests to store so many jobs. */
export function toInserts(count: number, parts: (index: number) => Partial<NewJob> = () => ({})): Insert[] {
  return Array.from({ length: count }, (_, index) => toInsert(parts(index)));
}

let tokens = 0;

/** A request for jobs called `work`, due by the server's time. */
export async function toClaim(
  store: JobStore<ObjectId>,
  parts: Partial<ClaimRequest> = {},
): Promise<ClaimRequest> {
  tokens += 1;
  return {
    owner: 'owner',
    token: `token-${tokens}`,
    wants: [{ name: 'work', limit: 1_000 }],
    total: 1_000,
    now: await store.now(),
    heartbeatInterval: 1_000,
    ...parts,
  };
}
