import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimRequest, Insert, JobStore, NewJob } from '@monque/core';
import { afterAll, afterEach } from 'vitest';

/** The moment at which jobs of these tests were created and due, unless they say otherwise. */
export const PAST = new Date('2026-01-05T10:00:00.000Z');
export const FUTURE = new Date('2999-01-01T00:00:00.000Z');

const STORE_OPTIONS = { collectionName: 'monque_jobs', skipIndexCreation: false, retention: false };

let opened: JobStore<string>[] = [];

/** Opens a store, and closes it with its test. */
export async function opening(store: JobStore<string>): Promise<JobStore<string>> {
  opened.push(store);
  await store.open(STORE_OPTIONS);
  return store;
}

/** To be called at the top of a file that opens stores. */
export function closeStores(): void {
  afterEach(async () => {
    const stores = opened;
    opened = [];
    for (const store of stores) await store.close();
  });
}

/** A folder for the files of one test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'monque-sql-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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

let tokens = 0;

export async function toClaim(
  store: JobStore<string>,
  parts: Partial<ClaimRequest> = {},
): Promise<ClaimRequest> {
  tokens += 1;
  return {
    owner: 'owner',
    token: `token-${tokens}`,
    wants: [{ name: 'work', limit: 100 }],
    total: 100,
    now: await store.now(),
    heartbeatInterval: 1_000,
    ...parts,
  };
}
