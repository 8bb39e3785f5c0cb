import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, nextEvent, whenStarted } from './signals.js';

const PAST = new Date('2026-01-01T00:00:00Z');

export function leaseBehaviourTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'leases', (api) => {
    test('a job that runs for five times lockTimeout runs once', async () => {
      const options = { lockTimeout: 300, heartbeatInterval: 100 };
      const instances = [await api.monque(options), await api.monque(options)];
      let runs = 0;
      for (const monque of instances) {
        monque.register('long', async () => {
          runs += 1;
          await new Promise((resolve) => setTimeout(resolve, 1_500));
        });
      }
      const job = await instances[0]?.enqueue('long', {});
      for (const monque of instances) monque.start();
      await Promise.race(instances.map((monque) => nextEvent(monque, 'job:complete')));
      expect(runs).toBe(1);
      expect(await api.stored(job ?? '')).toMatchObject({ status: 'completed', failCount: 0 });
    });

    test('the heartbeat renews lockedAt as well as lastHeartbeat', async () => {
      const monque = await api.monque({ heartbeatInterval: 50 });
      let finish = () => {};
      monque.register(
        'long',
        () =>
          new Promise<void>((resolve) => {
            finish = resolve;
          }),
      );
      const job = await monque.enqueue('long', {});
      monque.start();
      await nextEvent(monque, 'job:start');
      const before = await api.stored(job);
      await eventually(async () => {
        const { lockedAt, lastHeartbeat } = await api.stored(job);
        expect(Number(lockedAt)).toBeGreaterThan(Number(before.lockedAt));
        expect(Number(lastHeartbeat)).toBeGreaterThan(Number(before.lastHeartbeat));
      });
      finish();
    });

    test('what a dead process held is taken over while others run, not only at the next start', async () => {
      const monque = await api.monque({ lockTimeout: 300, heartbeatInterval: 100 });
      monque.register('work', () => {});
      const recovered = collect(monque, 'stale:recovered');
      monque.start();
      const lockedAt = await api.store.now();
      const id = await api.write({
        status: 'processing',
        nextRunAt: PAST,
        claimedBy: 'dead',
        claimToken: 'dead',
        lockedAt,
        lastHeartbeat: lockedAt,
        heartbeatInterval: 100,
      });
      expect(await monque.waitForJob(id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
      expect(recovered).toEqual([{ count: 1 }]);
    });

    test('a run that lost its lease is aborted, its late outcome changes nothing, and the job runs again', async () => {
      const monque = await api.monque({ heartbeatInterval: 50 });
      const reasons: unknown[] = [];
      let runs = 0;
      monque.register('work', async (_, { signal }) => {
        runs += 1;
        if (runs > 1) return 'second';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        reasons.push(signal.reason);
        return 'late';
      });
      const completions = collect(monque, 'job:complete');
      monque.start();
      const job = await whenStarted(monque, monque.enqueue('work', {}));
      const { claimToken = '' } = await api.stored(job);
      // As a process would whose sweep takes this one for dead.
      await api.store.release([{ id: job._id, token: claimToken }], await api.store.now());
      await eventually(() => expect(reasons).toHaveLength(1));
      expect(reasons).toMatchObject([{ name: 'RunAbortedError', reason: 'taken' }]);
      await monque.waitForJob(job._id, { timeout: 5_000 });
      await monque.stop();
      expect(completions).toHaveLength(1);
      expect(await api.stored(job)).toMatchObject({ status: 'completed', result: 'second', failCount: 0 });
    });
  });

  apiSuite(subject, 'jobRetention', (api) => {
    test('removes final jobs that are older, and nothing else', async () => {
      const old = { nextRunAt: PAST, createdAt: PAST, updatedAt: PAST };
      for (const status of ['completed', 'failed', 'cancelled', 'pending', 'created']) {
        await api.write({ ...old, status, name: 'other' });
      }
      const fresh = await api.write({ status: 'completed', nextRunAt: PAST, name: 'other' });
      const monque = await api.monque({ jobRetention: { completed: 60_000, failed: 60_000, interval: 50 } });
      monque.start();
      await eventually(async () => expect(await api.count()).toBe(4));
      expect((await api.store.counts()).byStatus).toEqual({
        completed: 1,
        cancelled: 1,
        pending: 1,
        created: 1,
      });
      expect((await api.stored(fresh)).status).toBe('completed');
    });
  });
}
