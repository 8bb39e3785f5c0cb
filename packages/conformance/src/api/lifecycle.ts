import { ConnectionError, type Monque } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, nextEvent } from './signals.js';

const MINUTE = 60_000;
const SOME_ID = '0123456789abcdef01234567';

/** Every asynchronous method, with arguments that would be refused otherwise where there are any. */
const CALLS: Record<string, (monque: Monque<unknown>) => Promise<unknown>> = {
  enqueue: (monque) => monque.enqueue('', {}, { runAt: new Date(Number.NaN) }),
  now: (monque) => monque.now('bad name', {}),
  schedule: (monque) => monque.schedule('nonsense', 'work', {}),
  enqueueMany: (monque) => monque.enqueueMany([{ name: '', data: {} }]),
  getJob: (monque) => monque.getJob(SOME_ID),
  getJobs: (monque) => monque.getJobs({ limit: -1 }),
  getJobsWithCursor: (monque) => monque.getJobsWithCursor({ cursor: 'nonsense' }),
  getQueueStats: (monque) => monque.getQueueStats(),
  getQueueViewSummaries: (monque) => monque.getQueueViewSummaries(),
  getJobLogs: (monque) => monque.getJobLogs(SOME_ID),
  cancelJob: (monque) => monque.cancelJob(SOME_ID),
  retryJob: (monque) => monque.retryJob('nonsense'),
  rescheduleJob: (monque) => monque.rescheduleJob(SOME_ID, new Date(Number.NaN)),
  releaseJob: (monque) => monque.releaseJob(SOME_ID),
  deleteJob: (monque) => monque.deleteJob(SOME_ID),
  cancelJobs: (monque) => monque.cancelJobs({ nonsense: 1 } as never),
  retryJobs: (monque) => monque.retryJobs({}),
  deleteJobs: (monque) => monque.deleteJobs({}),
  waitForJob: (monque) => monque.waitForJob(SOME_ID),
  drain: (monque) => monque.drain(),
};

export function lifecycleTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'an instance', (api) => {
    test('is an EventEmitter with room for 20 listeners', async () => {
      expect((await api.fresh()).getMaxListeners()).toBe(20);
    });

    test.each(Object.entries(CALLS))(
      'before initialize(), %s rejects with ConnectionError, before it checks arguments',
      async (_, call) => {
        const failure = call(await api.fresh());
        await expect(failure).rejects.toThrow(ConnectionError);
        await expect(failure).rejects.toThrow(/not initialized/);
      },
    );

    test('is healthy while it is initialised and runs', async () => {
      const monque = await api.fresh();
      expect(monque.isHealthy()).toBe(false);
      await monque.initialize();
      expect(monque.isHealthy()).toBe(false);
      monque.start();
      expect(monque.isHealthy()).toBe(true);
      await monque.stop();
      expect(monque.isHealthy()).toBe(false);
    });

    test('still enqueues and queries after stop()', async () => {
      const monque = await api.monque();
      monque.start();
      await monque.stop();
      const job = await monque.enqueue('work', { to: 'Ada' });
      expect(await monque.getJob(job._id)).toMatchObject({ status: 'pending', data: { to: 'Ada' } });
      expect((await monque.getQueueStats()).pending).toBe(1);
    });

    test('starts again after stop()', async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      monque.start();
      await monque.stop();
      await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:complete');
    });

    test('ends with await using', async () => {
      const monque = await api.monque();
      monque.start();
      await monque[Symbol.asyncDispose]();
      expect(monque.isHealthy()).toBe(false);
    });

    test('initialize() is idempotent, also when called twice at once', async () => {
      const monque = await api.fresh();
      await Promise.all([monque.initialize(), monque.initialize()]);
      await monque.initialize();
      await monque.enqueue('work', {});
      expect(await api.count()).toBe(1);
    });

    test('keeps what an earlier instance stored', async () => {
      const first = await api.monque();
      const job = await first.enqueue('work', { n: 1 });
      await first.close();
      expect(await (await api.monque()).getJob(job._id)).toStrictEqual(job);
    });

    test('a worker may be registered before or after initialize() and start(), also as worker()', async () => {
      const monque = await api.fresh();
      monque.register('first', () => {});
      await monque.initialize();
      monque.register('second', () => {});
      monque.start();
      monque.worker('third', () => {});
      const done = collect(monque, 'job:complete');
      const names = ['first', 'second', 'third'];
      await Promise.all(names.map((name) => monque.enqueue(name, {})));
      // The events: who waits for the jobs may see them completed in the store a moment before.
      await eventually(() => expect(done.map(({ job }) => job.name).sort()).toEqual(names));
    });

    test('a second worker of the same name needs replace', async () => {
      const monque = await api.monque();
      monque.register('work', () => 'old');
      expect(() => monque.register('work', () => 'new')).toThrow(
        expect.objectContaining({ name: 'WorkerRegistrationError', jobName: 'work' }),
      );
      monque.register('work', () => 'new', { replace: true });
      const job = await monque.enqueue('work', {});
      await monque.drain();
      expect((await api.stored(job)).result).toBe('new');
    });
  });

  apiSuite(subject, 'initialize()', (api) => {
    /** A document of a process that went silent. */
    const writeClaimed = async (silence: number, parts: Record<string, unknown> = {}) => {
      const lockedAt = new Date((await api.store.now()).getTime() - silence);
      const claim = { claimedBy: 'other', lockedAt, lastHeartbeat: lockedAt, heartbeatInterval: 30_000 };
      return api.write({
        status: 'processing',
        nextRunAt: lockedAt,
        claimToken: 'token',
        ...claim,
        ...parts,
      });
    };

    test('recovers stale jobs, and tells once how many before it resolves', async () => {
      const id = await writeClaimed(3 * MINUTE);
      await writeClaimed(4 * MINUTE);
      const monque = await api.fresh();
      const recovered = collect(monque, 'stale:recovered');
      await monque.initialize();
      expect(recovered).toEqual([{ count: 2 }]);
      const job = await api.stored(id);
      expect(job.status).toBe('pending');
      for (const field of ['lockedAt', 'claimedBy', 'lastHeartbeat', 'heartbeatInterval', 'claimToken']) {
        expect(job).not.toHaveProperty(field);
      }
    });

    test('tells nothing where nothing is stale', async () => {
      await writeClaimed(MINUTE);
      const monque = await api.fresh();
      const recovered = collect(monque, 'stale:recovered');
      await monque.initialize();
      expect(recovered).toEqual([]);
    });

    test('recovers nothing with recoverStaleJobs: false', async () => {
      const id = await writeClaimed(60 * MINUTE);
      await api.monque({ recoverStaleJobs: false });
      expect((await api.stored(id)).status).toBe('processing');
    });

    test('leaves a claim without a token for 30 minutes, unless lockTimeout is set', async () => {
      const { claimToken: _, ...legacy } = { claimToken: undefined };
      const now = (await api.store.now()).getTime();
      const lockedAt = new Date(now - 10 * MINUTE);
      const claim = {
        claimedBy: 'other',
        lockedAt,
        lastHeartbeat: lockedAt,
        heartbeatInterval: 30_000,
        ...legacy,
      };
      const id = await api.write({ status: 'processing', nextRunAt: lockedAt, ...claim });
      await api.monque();
      expect((await api.stored(id)).status).toBe('processing');
      await api.monque({ lockTimeout: 5 * MINUTE });
      expect((await api.stored(id)).status).toBe('pending');
    });

    test('refuses an id that a live process holds, and names the option, the id and the job', async () => {
      const id = await writeClaimed(1_000, { claimedBy: 'worker-1' });
      const monque = await api.fresh({ schedulerInstanceId: 'worker-1' });
      const failure = monque.initialize();
      await expect(failure).rejects.toThrow(ConnectionError);
      await expect(failure).rejects.toThrow(/schedulerInstanceId/);
      await expect(failure).rejects.toThrow(/worker-1/);
      await expect(failure).rejects.toThrow(new RegExp(id));
    });

    test('accepts an id whose process is dead, and can be called again after it failed', async () => {
      const id = await writeClaimed(1_000, { claimedBy: 'worker-1' });
      const monque = await api.fresh({ schedulerInstanceId: 'worker-1' });
      await expect(monque.initialize()).rejects.toThrow(ConnectionError);
      await monque.stop();
      await api.store.remove([api.store.parseId(id)]);
      await writeClaimed(40 * MINUTE, { claimedBy: 'worker-1' });
      await monque.initialize();
      await monque.enqueue('work', {});
    });
  });
}
