import { ShutdownTimeoutError } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, gate, nextEvent, whenStarted, within } from './signals.js';

/** Times this short fail on a busy machine now and then, through no fault of the code. */
const HASTE = { retry: 3 };

export function stopTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'stop()', (api) => {
    test('takes under 50 ms where the instance was never started', HASTE, async () => {
      await within(50, (await api.fresh()).stop());
      await within(50, (await api.monque()).stop());
    });

    test('takes under 200 ms where the instance is idle', HASTE, async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      monque.start();
      const completed = nextEvent(monque, 'job:complete');
      await monque.enqueue('work', {});
      await completed;
      await within(200, monque.stop());
    });

    test('resolves for several calls at once, and again afterwards', async () => {
      const monque = await api.monque();
      monque.start();
      await Promise.all([monque.stop(), monque.stop(), monque.stop()]);
      await monque.stop();
    });

    test('waits for running handlers and their stored results', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('work', () => opened.then(() => 'done'));
      monque.start();
      const job = await whenStarted(monque, monque.enqueue('work', {}));
      const completed = collect(monque, 'job:complete');
      let stopped = false;
      const stopping = monque.stop().then(() => {
        stopped = true;
      });
      await monque.getJob(job._id);
      expect(stopped).toBe(false);
      open();
      await stopping;
      expect(completed).toHaveLength(1);
      expect(await api.stored(job)).toMatchObject({ status: 'completed', result: 'done' });
    });

    test('takes no new job, and leaves none in processing', async () => {
      const monque = await api.monque();
      monque.register('work', () => new Promise((resolve) => setTimeout(resolve, 10)), { concurrency: 4 });
      await monque.enqueueMany(Array.from({ length: 200 }, (_, n) => ({ name: 'work', data: n })));
      monque.start();
      await nextEvent(monque, 'job:complete');
      await monque.stop();
      const started = collect(monque, 'job:start');
      const { byStatus } = await api.store.counts();
      expect(byStatus.processing ?? 0).toBe(0);
      expect((byStatus.pending ?? 0) + (byStatus.completed ?? 0)).toBe(200);
      expect(byStatus.pending ?? 0).toBeGreaterThan(0);
      await monque.enqueue('work', 'after');
      expect(started).toEqual([]);
    });

    test('returns unstarted claims untouched', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('work', () => opened, { concurrency: 1 });
      await monque.enqueueMany(Array.from({ length: 20 }, (_, n) => ({ name: 'work', data: n })));
      monque.start();
      await nextEvent(monque, 'job:start');
      const stopping = monque.stop();
      open();
      await stopping;
      const waiting = await monque.getJobs({ status: 'pending' });
      expect(waiting).toHaveLength(19);
      for (const job of waiting) {
        expect(job.failCount).toBe(0);
        expect(job).not.toHaveProperty('claimedBy');
      }
    });

    test('resolves on timeout, after job:error with the incomplete jobs', async () => {
      const monque = await api.monque({ shutdownTimeout: 100 });
      const signals: AbortSignal[] = [];
      monque.register('work', (_, { signal }) => {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      monque.start();
      const job = await whenStarted(monque, monque.enqueue('work', {}));
      const errors = collect(monque, 'job:error');
      await within(2_000, monque.stop());
      const timeout = errors.find(({ error }) => error instanceof ShutdownTimeoutError);
      expect(timeout?.error).toMatchObject({ incompleteJobs: [{ _id: job._id }] });
      await eventually(() => expect(signals[0]?.aborted).toBe(true));
    });

    test('waits only once for a handler that does not end, and tells of it once', async () => {
      const monque = await api.monque({ shutdownTimeout: 2_000 });
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      monque.register('work', () => ended);
      monque.start();
      await whenStarted(monque, monque.enqueue('work', {}));
      const errors = collect(monque, 'job:error');
      await monque.stop();
      await within(1_500, monque.stop());
      await within(1_500, monque.close());
      expect(errors.filter(({ error }) => error instanceof ShutdownTimeoutError)).toHaveLength(1);
      end();
    });

    test('resolves after a failed initialize()', async () => {
      const lockedAt = await api.store.now();
      const claim = { claimedBy: 'taken', claimToken: 't', lockedAt, lastHeartbeat: lockedAt };
      await api.write({ status: 'processing', nextRunAt: lockedAt, ...claim });
      const monque = await api.fresh({ schedulerInstanceId: 'taken' });
      await expect(monque.initialize()).rejects.toThrow();
      await monque.stop();
      await monque.close();
    });
  });
}
