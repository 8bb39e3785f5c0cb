import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, CLAIM_FIELDS, claim, claimOne, held, newToken, present } from './make-claims.js';
import { add, addOne, after, ids, jobs, newJob, PAST, stored } from './make-jobs.js';
import { settle } from './make-settlements.js';

const CANCEL = { type: 'cancel', running: true } as const;

export function leaseTests(subject: ConformanceSubject): void {
  suite(subject, 'release', (bench) => {
    test('gives claims back untouched but for updatedAt', async () => {
      const added = await addOne(bench.store, { uniqueKey: 'key', data: [1] });
      const job = await claimOne(bench.store);
      await bench.store.release([held(job)], after(50));
      expect(await stored(bench.store, job)).toStrictEqual({ ...added, updatedAt: after(50) });
    });

    test('makes them due again for any process', async () => {
      await add(bench.store, ...jobs(10));
      const { jobs: claimed } = await claim(bench.store, { owner: 'a' });
      await bench.store.release(claimed.map(held), PAST);
      const { jobs: again } = await claim(bench.store, { owner: 'b' });
      expect(ids(again).sort()).toEqual(ids(claimed).sort());
    });

    test('passes over claims that no longer hold', async () => {
      const settled = await addClaimed(bench.store);
      const { job: completed } = await settle(bench.store, settled, { type: 'completed' });
      const running = await addClaimed(bench.store);
      const removed = await addClaimed(bench.store);
      await bench.store.remove([removed._id]);
      const wrong = { id: running._id, token: newToken() };
      await bench.store.release([held(settled), wrong, held(removed)], after(50));
      expect(await stored(bench.store, settled)).toStrictEqual(completed);
      expect(await stored(bench.store, running)).toStrictEqual(running);
      expect(await bench.store.get([removed._id])).toEqual([]);
    });

    test('does nothing for no claims', async () => {
      const running = await addClaimed(bench.store);
      await bench.store.release([], PAST);
      expect(await stored(bench.store, running)).toStrictEqual(running);
    });
  });

  suite(subject, 'renew', (bench) => {
    test("moves lockedAt and lastHeartbeat to the server's time, and nothing else of the run", async () => {
      const unchanged = {
        ...newJob({ data: { to: 'Ada' } }),
        status: 'processing',
        failCount: 2,
        claimedBy: 'owner',
        claimToken: 'token',
        heartbeatInterval: 1_000,
      };
      const times = { lockedAt: PAST, lastHeartbeat: PAST, updatedAt: PAST };
      const id = await bench.database.write({ ...unchanged, ...times });
      const before = await bench.store.now();
      expect(await bench.store.renew('owner', [{ id, token: 'token' }])).toEqual([]);
      const { lockedAt, lastHeartbeat, updatedAt, ...rest } = await stored(bench.store, { _id: id });
      expect(rest).toStrictEqual({ _id: rest._id, ...unchanged });
      expect(lockedAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(lastHeartbeat?.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(updatedAt.getTime()).toBeGreaterThanOrEqual(PAST.getTime());
    });

    test('keeps a renewed claim from being recovered', async () => {
      const job = await addClaimed(bench.store);
      const timeouts = { lockTimeout: 1_000, legacyLockTimeout: 1_000 };
      const started = performance.now();
      while (performance.now() - started < 1_500) {
        expect(await bench.store.renew('owner', [held(job)])).toEqual([]);
        expect(await bench.store.recover({ now: await bench.store.now(), ...timeouts })).toBe(0);
      }
    });

    test('renews many claims at once', async () => {
      await add(bench.store, ...jobs(100));
      const { jobs: claimed } = await claim(bench.store);
      expect(await bench.store.renew('owner', claimed.map(held))).toEqual([]);
      expect(await bench.store.renew('owner', [])).toEqual([]);
    });
  });

  for (const operation of ['renew', 'verify'] as const) {
    suite(subject, `${operation}, when a claim no longer holds`, (bench) => {
      const losses = async (job: Parameters<typeof held>[0], owner = 'owner') =>
        (await bench.store[operation](owner, [held(job)])).map(({ id, token, reason }) => ({
          id: String(id),
          token,
          reason,
        }));
      const lost = (job: Parameters<typeof held>[0], reason: string) => [
        { id: String(job._id), token: held(job).token, reason },
      ];

      test('says that the job was cancelled', async () => {
        const job = await addClaimed(bench.store);
        await bench.store.change([job._id], CANCEL, await bench.store.now());
        expect(await losses(job)).toEqual(lost(job, 'cancelled'));
      });

      test('says that the job was deleted', async () => {
        const job = await addClaimed(bench.store);
        await bench.store.remove([job._id]);
        expect(await losses(job)).toEqual(lost(job, 'deleted'));
      });

      test('says that the job was taken: given back, held by another token, settled', async () => {
        const job = await addClaimed(bench.store);
        await bench.store.release([held(job)], PAST);
        expect(await losses(job)).toEqual(lost(job, 'taken'));
        const again = await claimOne(bench.store);
        expect(await losses(job)).toEqual(lost(job, 'taken'));
        await settle(bench.store, again, { type: 'completed' });
        expect(await losses(again)).toEqual(lost(again, 'taken'));
      });

      test('tells the lost from those that hold', async () => {
        const kept = await addClaimed(bench.store);
        const gone = await addClaimed(bench.store);
        await bench.store.remove([gone._id]);
        const answer = await bench.store[operation]('owner', [held(kept), held(gone)]);
        expect(answer.map(({ id }) => String(id))).toEqual(ids([gone]));
      });

      test('leaves a job that it does not hold as it is', async () => {
        const times = { lockedAt: PAST, lastHeartbeat: PAST, updatedAt: PAST };
        const claimed = {
          claimedBy: 'owner',
          claimToken: newToken(),
          heartbeatInterval: 1_000,
          failCount: 0,
        };
        const id = await bench.database.write({ ...newJob(), status: 'processing', ...claimed, ...times });
        await bench.store[operation]('owner', [{ id, token: newToken() }]);
        expect(await stored(bench.store, { _id: id })).toMatchObject({ ...claimed, ...times });
      });
    });
  }

  suite(subject, 'verify', (bench) => {
    test('writes nothing', async () => {
      const job = await addClaimed(bench.store);
      expect(await bench.store.verify('owner', [held(job)])).toEqual([]);
      expect(await stored(bench.store, job)).toStrictEqual(job);
      expect(present(job, CLAIM_FIELDS)).toEqual([...CLAIM_FIELDS]);
    });
  });
}
