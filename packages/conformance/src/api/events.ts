import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, gate, nextEvent } from './signals.js';

export function eventTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'events', (api) => {
    test('job:start with the job itself, then job:complete with the job and its duration', async () => {
      const monque = await api.monque();
      monque.register('work', () => new Promise((resolve) => setTimeout(resolve, 30)));
      const order: string[] = [];
      monque.on('job:start', (job) => order.push(`start ${job.name} ${job.status}`));
      monque.on('job:complete', ({ job }) => order.push(`complete ${job.name} ${job.status}`));
      const job = await monque.enqueue('work', { n: 1 });
      const completed = nextEvent(monque, 'job:complete');
      monque.start();
      const event = await completed;
      expect(order).toEqual(['start work processing', 'complete work completed']);
      expect(String(event.job._id)).toBe(String(job._id));
      expect(event.job.data).toEqual({ n: 1 });
      expect(event.duration).toBeGreaterThanOrEqual(25);
      expect(event.duration).toBeLessThan(5_000);
    });

    test('job:fail with the job, the error and whether it will be tried again', async () => {
      const monque = await api.monque({ maxRetries: 2, baseRetryInterval: 1 });
      const broken = new Error('broken');
      monque.register('work', () => {
        throw broken;
      });
      const events = collect(monque, 'job:fail');
      await monque.enqueue('work', {});
      monque.start();
      await eventually(() => expect(events).toHaveLength(2));
      expect(events.map(({ willRetry }) => willRetry)).toEqual([true, false]);
      expect(events[0]?.error).toBe(broken);
      expect(events[1]?.job.name).toBe('work');
    });

    test('each fires after the write that it tells of', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register<boolean>('work', ({ data }) => {
        if (data) throw new Error('broken');
      });
      const seen: Promise<string>[] = [];
      const look = ({ _id }: { _id: unknown }) => api.stored({ _id }).then(({ status }) => status);
      monque.on('job:complete', ({ job }) => void seen.push(look(job)));
      monque.on('job:fail', ({ job }) => void seen.push(look(job)));
      monque.on('job:cancelled', ({ job }) => void seen.push(look(job)));
      monque.on('job:retried', ({ job }) => void seen.push(look(job)));
      await monque.enqueueMany([
        { name: 'work', data: false },
        { name: 'work', data: true },
      ]);
      await monque.drain();
      const waiting = await monque.enqueue('other', {});
      await monque.cancelJob(waiting._id);
      await Promise.all(seen);
      await monque.retryJob(waiting._id);
      expect((await Promise.all(seen)).sort()).toEqual(['cancelled', 'completed', 'failed', 'pending']);
    });

    test('no listener is required, not even for job:error', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register('work', () => {
        throw new Error('broken');
      });
      const job = await monque.enqueue('work', {});
      await monque.drain();
      expect((await api.stored(job)).status).toBe('failed');
    });

    test('a listener that throws does not break the engine', async () => {
      const monque = await api.monque();
      monque.register('work', () => {});
      for (const event of ['job:start', 'job:complete', 'job:error'] as const) {
        monque.on(event, () => {
          throw new Error(`listener of ${event}`);
        });
      }
      monque.start();
      for (const data of [1, 2, 3]) {
        const job = await monque.enqueue('work', data);
        expect(await monque.waitForJob(job._id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
      }
    });

    test('no job:complete and no job:fail for a run whose claim no longer holds', async () => {
      const monque = await api.monque();
      const doors = { complete: gate(), fail: gate() };
      monque.register<'complete' | 'fail'>('work', async ({ data }) => {
        await doors[data].opened;
        if (data === 'fail') throw new Error('late');
      });
      const ends = [collect(monque, 'job:complete'), collect(monque, 'job:fail')];
      monque.start();
      const jobs = [await monque.enqueue('work', 'complete'), await monque.enqueue('work', 'fail')];
      await eventually(async () => expect((await api.store.counts()).byStatus.processing).toBe(2));
      // Behind the engine's back, as another process would.
      const now = await api.store.now();
      for (const { _id } of jobs) await api.store.change([_id], { type: 'cancel', running: true }, now);
      doors.complete.open();
      doors.fail.open();
      await monque.stop();
      expect(ends.flat()).toEqual([]);
      for (const job of jobs) expect((await api.stored(job)).status).toBe('cancelled');
    });
  });

  apiSuite(subject, 'wake-ups', (api) => {
    test.skipIf(subject.watch === false)(
      'changestream:connected soon after start, changestream:closed before stop() resolves',
      async () => {
        const monque = await api.monque();
        const closed = collect(monque, 'changestream:closed');
        const connected = nextEvent(monque, 'changestream:connected');
        monque.start();
        await connected;
        expect(closed).toHaveLength(0);
        await monque.stop();
        expect(closed).toHaveLength(1);
      },
    );

    test.runIf(subject.watch === false)(
      'changestream:fallback where no stream can be had, and polling',
      async () => {
        const [worker, producer] = [await api.monque({ pollInterval: 50 }), await api.monque()];
        worker.register('work', () => {});
        const fallback = nextEvent(worker, 'changestream:fallback');
        worker.start();
        expect((await fallback)?.reason).toBeTypeOf('string');
        const completed = nextEvent(worker, 'job:complete');
        await producer.enqueue('work', {});
        await completed;
      },
    );
  });
}
