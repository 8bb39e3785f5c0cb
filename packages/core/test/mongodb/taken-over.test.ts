import { testDatabase } from '@monque/test-servers/vitest';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HeldClaim } from '../../src/store/claim-types.js';
import type { JobStore } from '../../src/store/port.js';
import { openStore, PAST, toClaim, toInserts } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');

describe.skipIf(!available)('A claim that an older Monque took over, which leaves the token', () => {
  let store: JobStore;
  let held: HeldClaim;

  beforeEach(async () => {
    await jobs.deleteMany({});
    const opened = await openStore(db);
    store = opened;
    await opened.insert(toInserts(1));
    const [job] = (await opened.claim(await toClaim(opened))).jobs;
    held = { id: job!._id, token: job!.claimToken! };
    await jobs.updateOne({}, { $set: { claimedBy: 'older' } });
  });

  test('is not given back by its former owner', async () => {
    await store.release([held], PAST);
    expect(await jobs.findOne()).toMatchObject({ status: 'processing', claimedBy: 'older' });
  });

  test('takes no progress of its former run', async () => {
    expect(await store.saveProgress(held, { value: 50, at: PAST })).toBe(false);
    expect(await jobs.findOne()).not.toHaveProperty('progress');
  });
});
