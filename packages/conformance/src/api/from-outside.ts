import { JobStateError, type Monque, WaitTimeoutError } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, gate, nextEvent, whenStarted, within } from './signals.js';

/** Registers a handler that runs until it is told to stop; answers what its signal said. */
function registerEndless(monque: Monque<unknown>): { readonly reasons: unknown[] } {
  const reasons: unknown[] = [];
  monque.register('endless', async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    reasons.push(signal.reason);
    return 'late';
  });
  return { reasons };
}

export function fromOutsideTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'cancelJob with running', (api) => {
    const options = { heartbeatInterval: 100, lockTimeout: 60_000 };

    test.each(['the same process', 'another process'])('stops a run on %s', async (where) => {
      const worker = await api.monque(options);
      const caller = where === 'the same process' ? worker : await api.monque();
      const { reasons } = registerEndless(worker);
      const ends = [
        collect(worker, 'job:complete'),
        collect(worker, 'job:fail'),
        collect(worker, 'job:error'),
      ];
      worker.start();
      const job = await caller.enqueue('endless', {});
      await eventually(async () => expect((await api.stored(job)).status).toBe('processing'));
      const told = nextEvent(caller, 'job:cancelled');
      const cancelled = await caller.cancelJob(job._id, { running: true });
      expect(cancelled).toMatchObject({ status: 'cancelled' });
      expect((await told).job).toMatchObject({ status: 'cancelled' });
      await eventually(() => expect(reasons).toHaveLength(1));
      expect(reasons[0]).toMatchObject({ name: 'RunAbortedError', reason: 'cancelled' });
      await worker.stop();
      expect(ends.flat()).toEqual([]);
      const document = await api.stored(job);
      expect(document.status).toBe('cancelled');
      for (const field of ['result', 'lockedAt', 'claimedBy', 'claimToken']) {
        expect(document).not.toHaveProperty(field);
      }
    });

    test('without it a running job is refused', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('work', () => opened);
      monque.start();
      const job = await whenStarted(monque, monque.enqueue('work', {}));
      await expect(monque.cancelJob(job._id)).rejects.toThrow(JobStateError);
      open();
      await nextEvent(monque, 'job:complete');
    });

    test('the slot of a cancelled run is free again', async () => {
      const monque = await api.monque({ ...options, workerConcurrency: 1 });
      registerEndless(monque);
      monque.start();
      const first = await whenStarted(monque, monque.enqueue('endless', 1));
      const second = await monque.enqueue('endless', 2);
      await monque.cancelJob(first._id, { running: true });
      await eventually(async () => expect((await api.stored(second)).status).toBe('processing'));
      await monque.cancelJob(second._id, { running: true });
    });

    test('deleting a running job stops it as well', async () => {
      const [worker, other] = [await api.monque(options), await api.monque()];
      const { reasons } = registerEndless(worker);
      worker.start();
      const job = await whenStarted(worker, worker.enqueue('endless', {}));
      expect(await other.deleteJob(job._id)).toBe(true);
      await eventually(() => expect(reasons).toHaveLength(1));
      await worker.stop();
      expect(await worker.getJob(job._id)).toBeNull();
    });
  });

  apiSuite(subject, 'waitForJob', (api) => {
    test.each(['completed', 'failed', 'cancelled'] as const)(
      'resolves with the final job: %s',
      async (status) => {
        const [worker, waiter] = [await api.monque({ maxRetries: 1 }), await api.monque()];
        worker.register<string>('work', ({ data }) => {
          if (data === 'failed') throw new Error('broken');
          return 'fine';
        });
        const job = await waiter.enqueue('work', status, { delay: status === 'cancelled' ? 60_000 : 20 });
        const waiting = waiter.waitForJob(job._id, { timeout: 8_000 });
        worker.start();
        if (status === 'cancelled') await worker.cancelJob(job._id);
        const final = await waiting;
        expect(final).toMatchObject({ _id: job._id, status });
        if (status === 'completed') expect(final?.result).toBe('fine');
      },
    );

    test('resolves at once where the job is final already', async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      const job = await monque.enqueue('work', {});
      await monque.drain();
      expect(await within(500, monque.waitForJob(String(job._id)))).toMatchObject({ status: 'completed' });
    });

    test('rejects with WaitTimeoutError, and the job goes on', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      const failure = monque.waitForJob(job._id, { timeout: 50 });
      await expect(failure).rejects.toThrow(WaitTimeoutError);
      expect((await api.stored(job)).status).toBe('pending');
    });

    test('rejects when its signal aborts', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      const controller = new AbortController();
      const failure = monque.waitForJob(job._id, { signal: controller.signal });
      controller.abort(new Error('enough'));
      await expect(failure).rejects.toThrow('enough');
    });

    test('gives null for a job that is deleted meanwhile, and for one that does not exist', async () => {
      const [monque, other] = [await api.monque(), await api.monque()];
      const job = await monque.enqueue('work', {});
      const waiting = monque.waitForJob(job._id, { timeout: 8_000 });
      await other.deleteJob(job._id);
      expect(await waiting).toBeNull();
      expect(await monque.waitForJob(job._id)).toBeNull();
      expect(await monque.waitForJob('nonsense')).toBeNull();
    });
  });

  apiSuite(subject, 'hold', (api) => {
    test('a held job has the status created, and waits until it is released', async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      const job = await monque.enqueue('work', { n: 1 }, { hold: true });
      expect(job.status).toBe('created');
      await monque.drain();
      expect((await api.stored(job)).status).toBe('created');
      expect(await monque.releaseJob(String(job._id))).toMatchObject({ status: 'pending', data: { n: 1 } });
      await monque.drain();
      expect((await api.stored(job)).status).toBe('completed');
    });

    test('keeps its due time', async () => {
      const monque = await api.monque();
      const runAt = new Date('2999-01-01T00:00:00Z');
      const job = await monque.enqueue('work', {}, { hold: true, runAt });
      expect((await monque.releaseJob(job._id))?.nextRunAt).toEqual(runAt);
    });

    test('releaseJob: null where there is none, JobStateError in any other status', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      await expect(monque.releaseJob(job._id)).rejects.toMatchObject({
        name: 'JobStateError',
        currentStatus: 'pending',
      });
      await monque.deleteJob(job._id);
      expect(await monque.releaseJob(job._id)).toBeNull();
      expect(await monque.releaseJob('nonsense')).toBeNull();
    });
  });

  apiSuite(subject, 'drain', (api) => {
    test('runs what is due until nothing is, without start(), and resolves with counts', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register<number>('work', async ({ data }, context) => {
        if (data === 1) throw new Error('broken');
        if (data === 2) await context.monque.enqueue('work', 3);
      });
      await monque.enqueueMany([0, 1, 2].map((data) => ({ name: 'work', data })));
      await monque.enqueue('work', 4, { delay: 60_000 });
      expect(await monque.drain()).toMatchObject({ completed: 3, failed: 1 });
      expect((await api.store.counts()).byStatus).toEqual({ completed: 3, failed: 1, pending: 1 });
      expect(monque.isHealthy()).toBe(false);
    });

    test('works while the instance is started', async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      monque.start();
      await monque.enqueueMany(Array.from({ length: 50 }, (_, n) => ({ name: 'work', data: n })));
      await monque.drain();
      expect((await api.store.counts()).byStatus).toEqual({ completed: 50 });
    });

    test('resolves at once where nothing is due', async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      expect(await within(1_000, monque.drain())).toMatchObject({ completed: 0, failed: 0 });
    });
  });
}
