import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, CLAIM_FIELDS, claimOne, held, present } from './make-claims.js';
import { newJob, PAST, stored } from './make-jobs.js';

const MINUTE = 60_000;
const TIMEOUTS = { lockTimeout: 2 * MINUTE, legacyLockTimeout: 30 * MINUTE };

export function recoverTests(subject: ConformanceSubject): void {
  suite(subject, 'recover', (bench) => {
    /** A document that was claimed some time ago, by the server's clock. */
    const writeClaimed = async (
      silence: number,
      parts: Record<string, unknown> = { claimToken: 'token' },
    ) => {
      const lockedAt = new Date((await bench.store.now()).getTime() - silence);
      return bench.database.write({
        ...newJob({ data: { to: 'Ada' }, uniqueKey: `key-${silence}` }),
        status: 'processing',
        failCount: 3,
        failReason: 'earlier',
        updatedAt: lockedAt,
        claimedBy: 'dead',
        lockedAt,
        lastHeartbeat: lockedAt,
        heartbeatInterval: 1_000,
        ...parts,
      });
    };
    const recover = async (parts: Partial<typeof TIMEOUTS & { now: Date }> = {}) =>
      bench.store.recover({ now: await bench.store.now(), ...TIMEOUTS, ...parts });

    test('gives back what a dead owner held, and answers how many', async () => {
      const id = await writeClaimed(3 * MINUTE);
      await writeClaimed(4 * MINUTE);
      const before = await stored(bench.store, { _id: id });
      expect(await recover()).toBe(2);
      const { updatedAt, ...rest } = await stored(bench.store, { _id: id });
      expect(rest).toMatchObject({
        status: 'pending',
        failCount: 3,
        failReason: 'earlier',
        nextRunAt: PAST,
        createdAt: PAST,
        data: { to: 'Ada' },
        uniqueKey: before.uniqueKey,
      });
      expect(present({ ...rest, updatedAt }, CLAIM_FIELDS)).toEqual([]);
      expect(updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
      expect(await recover()).toBe(0);
    });

    test('leaves alone who gave a sign of life within the timeout', async () => {
      const id = await writeClaimed(MINUTE);
      expect(await recover()).toBe(0);
      expect((await stored(bench.store, { _id: id })).status).toBe('processing');
    });

    test('gives a claim without a token more time, since an older Monque does not renew it', async () => {
      const young = await writeClaimed(20 * MINUTE, {});
      const old = await writeClaimed(31 * MINUTE, {});
      expect(await recover()).toBe(1);
      expect((await stored(bench.store, { _id: young })).status).toBe('processing');
      expect((await stored(bench.store, { _id: old })).status).toBe('pending');
      expect(await recover({ legacyLockTimeout: 10 * MINUTE })).toBe(1);
    });

    test('goes by updatedAt where others did not say when they took it', async () => {
      const bare = { lockedAt: null, lastHeartbeat: null, claimedBy: null };
      const now = (await bench.store.now()).getTime();
      const claimedAgo = (silence: number, parts: Record<string, unknown>) =>
        writeClaimed(silence, { ...bare, updatedAt: new Date(now - silence), ...parts });
      const young = await claimedAgo(20 * MINUTE, {});
      const old = await claimedAgo(31 * MINUTE, {});
      expect(await recover()).toBe(1);
      expect((await stored(bench.store, { _id: young })).status).toBe('processing');
      expect((await stored(bench.store, { _id: old })).status).toBe('pending');
    });

    test('takes a stale lockedAt as stale whatever lastHeartbeat says', async () => {
      await writeClaimed(3 * MINUTE, { claimToken: 'token', lastHeartbeat: await bench.store.now() });
      expect(await recover()).toBe(1);
    });

    test("goes by the server's clock: a caller whose clock is a day ahead takes nothing that lives", async () => {
      const job = await addClaimed(bench.store);
      const now = new Date((await bench.store.now()).getTime() + 24 * 60 * MINUTE);
      expect(await recover({ now })).toBe(0);
      expect(await bench.store.verify('owner', [held(job)])).toEqual([]);
    });

    test('looks at processing jobs only', async () => {
      for (const status of ['pending', 'completed', 'failed', 'cancelled']) {
        await writeClaimed(60 * MINUTE, { status, uniqueKey: status });
      }
      expect(await recover()).toBe(0);
    });

    test('makes the job due again for others', async () => {
      const id = await writeClaimed(3 * MINUTE);
      await recover();
      const again = await claimOne(bench.store, { owner: 'alive' });
      expect(String(again._id)).toBe(String(id));
      expect(again.claimedBy).toBe('alive');
    });

    test('counts each job once when two processes sweep at the same time', async () => {
      const other = await bench.connect();
      for (let number = 1; number <= 20; number++) await writeClaimed(3 * MINUTE + number);
      const now = await bench.store.now();
      const counts = await Promise.all([recover(), other.recover({ now, ...TIMEOUTS })]);
      expect(counts[0] + counts[1]).toBe(20);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 20 });
    });
  });

  suite(subject, 'findLiveClaim', (bench) => {
    const minuteAgo = async () => new Date((await bench.store.now()).getTime() - MINUTE);

    test('finds a job that this owner holds and has renewed since', async () => {
      const job = await addClaimed(bench.store, {}, { owner: 'me' });
      expect(await bench.store.findLiveClaim('me', await minuteAgo())).toStrictEqual(job);
    });

    test("does not find another owner's, an old one, or one that is no longer held", async () => {
      const job = await addClaimed(bench.store, {}, { owner: 'me' });
      const since = await minuteAgo();
      expect(await bench.store.findLiveClaim('you', since)).toBeUndefined();
      const later = new Date((await bench.store.now()).getTime() + MINUTE);
      expect(await bench.store.findLiveClaim('me', later)).toBeUndefined();
      await bench.store.release([held(job)], PAST);
      expect(await bench.store.findLiveClaim('me', since)).toBeUndefined();
    });
  });
}
