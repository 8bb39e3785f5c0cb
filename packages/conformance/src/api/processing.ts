import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, gate, nextEvent, whenStarted } from './signals.js';

/** Polls so rare that only a wake-up or a known due time can explain a run. */
const NO_POLLS = { pollInterval: 600_000, safetyPollInterval: 600_000 };
const CLAIM_FIELDS = ['lockedAt', 'claimedBy', 'lastHeartbeat', 'heartbeatInterval', 'claimToken'];

export function processingTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'processing', (api) => {
    test('the worker receives the job and its data', async () => {
      const monque = await api.monque();
      const seen: unknown[] = [];
      monque.register('send-email', (job) => void seen.push(job.data));
      await monque.enqueue('send-email', { to: 'user@example.com', subject: 'Welcome' });
      monque.start();
      await nextEvent(monque, 'job:complete');
      expect(seen).toEqual([{ to: 'user@example.com', subject: 'Welcome' }]);
    });

    test('while it runs, the document says who holds it', async () => {
      const options = { schedulerInstanceId: 'me', heartbeatInterval: 20_000 };
      const monque = await api.monque(options);
      const { opened, open } = gate();
      monque.register('work', () => opened);
      monque.start();
      const job = await whenStarted(monque, monque.enqueue('work', { n: 1 }));
      const running = await api.stored(job);
      open();
      const { lockedAt, lastHeartbeat, updatedAt, claimToken, ...rest } = running;
      expect(rest).toStrictEqual({
        _id: job._id,
        name: 'work',
        data: { n: 1 },
        status: 'processing',
        nextRunAt: job.nextRunAt,
        failCount: 0,
        createdAt: job.createdAt,
        claimedBy: 'me',
        heartbeatInterval: 20_000,
      });
      expect(lockedAt).toBeInstanceOf(Date);
      expect(lastHeartbeat).toBeInstanceOf(Date);
      expect(updatedAt.getTime()).toBeGreaterThanOrEqual(job.updatedAt.getTime());
      expect(claimToken).toBeTypeOf('string');
    });

    test('afterwards the document is completed, and nothing of the claim is left', async () => {
      const monque = await api.monque();
      monque.register('work', async () => {});
      const job = await monque.enqueue('work', {}, { uniqueKey: 'key' });
      monque.start();
      await nextEvent(monque, 'job:complete');
      const document = await api.stored(job);
      expect(document).toMatchObject({ status: 'completed', failCount: 0, uniqueKey: 'key' });
      expect(document.updatedAt.getTime()).toBeGreaterThanOrEqual(job.updatedAt.getTime());
      for (const field of [...CLAIM_FIELDS, 'failReason', 'result', 'repeatInterval']) {
        expect(document).not.toHaveProperty(field);
      }
    });

    test('a document of an older Monque is processed as it is', async () => {
      const past = new Date('2025-12-16T10:30:00.000Z');
      const id = await api.write({
        name: 'send-email',
        data: { to: 'user@example.com' },
        nextRunAt: past,
        lockedAt: null,
        createdAt: past,
        updatedAt: past,
      });
      const monque = await api.monque();
      monque.register('send-email', () => {});
      monque.start();
      await nextEvent(monque, 'job:complete');
      const document = await api.stored(id);
      expect(document.status).toBe('completed');
      expect(document.lockedAt ?? undefined).toBeUndefined();
    });

    test('claims only pending, due jobs of registered names', async () => {
      const monque = await api.monque();
      const names: string[] = [];
      monque.register('known', (job) => void names.push(job.name));
      await monque.enqueue('unknown', {});
      await monque.enqueue('known', {}, { runAt: new Date('2999-01-01T00:00:00Z') });
      await monque.enqueue('known', {}, { hold: true });
      const cancelled = await monque.enqueue('known', {});
      await monque.cancelJob(cancelled._id);
      await monque.enqueue('known', { due: true });
      monque.start();
      await nextEvent(monque, 'job:complete');
      await monque.stop();
      expect(names).toEqual(['known']);
      expect(await monque.getQueueStats()).toMatchObject({
        pending: 2,
        created: 1,
        cancelled: 1,
        completed: 1,
      });
    });

    test('higher priority first, then the earliest nextRunAt', async () => {
      const monque = await api.monque();
      const order: unknown[] = [];
      monque.register('work', (job) => void order.push(job.data), { concurrency: 1 });
      const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
      await monque.enqueue('work', 'low', { priority: -1, runAt: at(0) });
      await monque.enqueue('work', 'third', { runAt: at(3) });
      await monque.enqueue('work', 'second', { runAt: at(2) });
      await monque.enqueue('work', 'high', { priority: 5, runAt: at(9) });
      await monque.enqueue('work', 'first', { runAt: at(1) });
      await monque.drain();
      expect(order).toEqual(['high', 'first', 'second', 'third', 'low']);
    });

    test('runs as many at once as the concurrency allows, and refills a free slot at once', async () => {
      const monque = await api.monque(NO_POLLS);
      let running = 0;
      let most = 0;
      monque.register(
        'work',
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
        },
        { concurrency: 3 },
      );
      const items = Array.from({ length: 60 }, (_, n) => ({ name: 'work', data: n }));
      await monque.enqueueMany(items);
      monque.start();
      await eventually(async () => expect((await api.store.counts()).byStatus.completed).toBe(60));
      expect(most).toBe(3);
    });

    test('runs no more at once over all workers than instanceConcurrency', async () => {
      const monque = await api.monque({ instanceConcurrency: 2 });
      let running = 0;
      let most = 0;
      for (const name of ['a', 'b', 'c']) {
        monque.register(name, async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
        });
      }
      await monque.enqueueMany(
        ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'].map((name) => ({ name, data: 0 })),
      );
      await monque.drain();
      expect(most).toBe(2);
      expect((await api.store.counts()).byStatus.completed).toBe(9);
    });

    test('a busy name does not starve another', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('busy', () => opened, { concurrency: 2 });
      monque.register('quiet', () => {});
      await monque.enqueueMany(Array.from({ length: 200 }, () => ({ name: 'busy', data: 0 })));
      const quiet = await monque.enqueue('quiet', 0);
      monque.start();
      expect(await monque.waitForJob(quiet._id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
      open();
    });

    test('two processes share the work, no job runs twice, and there is no job:error', async () => {
      const instances = [await api.monque(), await api.monque()];
      const runs = new Map<unknown, number>();
      const errors = instances.flatMap((monque) => [collect(monque, 'job:error')]);
      for (const monque of instances) {
        monque.register('work', (job) => void runs.set(job.data, (runs.get(job.data) ?? 0) + 1));
      }
      await instances[0]?.enqueueMany(Array.from({ length: 400 }, (_, n) => ({ name: 'work', data: n })));
      for (const monque of instances) monque.start();
      await eventually(async () => expect((await api.store.counts()).byStatus.completed).toBe(400));
      expect(runs.size).toBe(400);
      expect([...runs.values()].every((count) => count === 1)).toBe(true);
      expect(errors.flat()).toEqual([]);
    });
  });

  apiSuite(subject, 'without waiting for a poll', (api) => {
    test('start() claims at once what is due', async () => {
      const monque = await api.monque(NO_POLLS);
      monque.register('work', () => {});
      await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:complete');
    });

    test('a job that this process enqueues runs at once', async () => {
      const monque = await api.monque(NO_POLLS);
      monque.register('work', () => {});
      monque.start();
      const completed = nextEvent(monque, 'job:complete');
      await monque.enqueue('work', {});
      await completed;
    });

    test('a future job runs when it is due', async () => {
      const monque = await api.monque(NO_POLLS);
      monque.register('work', () => {});
      monque.start();
      const runAt = new Date((await api.store.now()).getTime() + 400);
      const started = nextEvent(monque, 'job:start');
      await monque.enqueue('work', {}, { runAt });
      await started;
      expect((await api.store.now()).getTime()).toBeGreaterThanOrEqual(runAt.getTime());
    });

    test('a future job that was stored before the start runs when it is due', async () => {
      const monque = await api.monque(NO_POLLS);
      monque.register('work', () => {});
      await monque.enqueue('work', {}, { delay: 300 });
      monque.start();
      await nextEvent(monque, 'job:complete');
    });

    test('a retry runs when it is due', async () => {
      const monque = await api.monque({ ...NO_POLLS, baseRetryInterval: 100 });
      monque.register('work', (_, { attempt }) => {
        if (attempt === 1) throw new Error('broken');
      });
      monque.start();
      const completed = nextEvent(monque, 'job:complete');
      await monque.enqueue('work', {});
      await completed;
    });

    test('a job that is retried, rescheduled or released by hand runs at once', async () => {
      const monque = await api.monque({ ...NO_POLLS, maxRetries: 1 });
      let broken = true;
      monque.register('work', () => {
        if (broken) throw new Error('broken');
      });
      monque.start();
      const failure = nextEvent(monque, 'job:fail');
      const failed = await monque.enqueue('work', 1);
      await failure;
      broken = false;
      const future = await monque.enqueue('work', 2, { delay: 600_000 });
      const held = await monque.enqueue('work', 3, { hold: true });
      await monque.retryJob(failed._id);
      await monque.rescheduleJob(future._id, await api.store.now());
      await monque.releaseJob(held._id);
      for (const { _id } of [failed, future, held]) {
        expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
      }
    });

    test.skipIf(subject.watch === false)('a job that another process enqueues runs at once', async () => {
      const [worker, producer] = [await api.monque(NO_POLLS), await api.monque()];
      worker.register('work', () => {});
      const connected = nextEvent(worker, 'changestream:connected');
      worker.start();
      await connected;
      const completed = nextEvent(worker, 'job:complete');
      await producer.enqueue('work', {});
      await completed;
    });
  });
}
