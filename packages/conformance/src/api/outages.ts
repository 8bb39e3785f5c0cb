import { ConnectionError } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { FaultyStore } from './faulty-store.js';
import { apiSuite } from './instances.js';
import { collect, gate, nextEvent, whenStarted } from './signals.js';

export function outageTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'a failure of the database', (api) => {
    /** An initialised instance whose store fails as the test says. */
    const withFaults = async (options: Parameters<typeof api.fresh>[0] = {}) => {
      const faulty = new FaultyStore(await api.connect());
      const monque = api.on(faulty.store, options);
      await monque.initialize();
      return { monque, faulty };
    };

    test('in initialize() is a ConnectionError with its cause, and a second call succeeds', async () => {
      const faulty = new FaultyStore(await api.connect());
      const monque = api.on(faulty.store);
      const cause = faulty.failNext('open', 'instead');
      const failure = monque.initialize();
      await expect(failure).rejects.toThrow(ConnectionError);
      await expect(failure).rejects.toMatchObject({ cause });
      expect(monque.isHealthy()).toBe(false);
      await monque.initialize();
      await monque.enqueue('work', {});
    });

    test('in enqueue or a query is a ConnectionError with its cause', async () => {
      const { monque, faulty } = await withFaults();
      const refused = faulty.failNext('insert', 'instead');
      await expect(monque.enqueue('work', {})).rejects.toMatchObject({
        name: 'ConnectionError',
        cause: refused,
      });
      const unread = faulty.failNext('page', 'instead');
      await expect(monque.getJobs()).rejects.toMatchObject({ name: 'ConnectionError', cause: unread });
      await monque.enqueue('work', {});
      expect(await monque.getJobs()).toHaveLength(1);
    });

    test('in a claim is told by job:error with the original message, and the engine goes on', async () => {
      const { monque, faulty } = await withFaults({ pollInterval: 50, safetyPollInterval: 50 });
      monque.register('work', () => {});
      const job = await monque.enqueue('work', {});
      faulty.failNext('claim', 'instead', new Error('No primary'));
      const told = nextEvent(monque, 'job:error');
      monque.start();
      expect((await told).error.message).toContain('No primary');
      expect(await monque.waitForJob(job._id, { timeout: 8_000 })).toMatchObject({ status: 'completed' });
    });

    test('keeps an outcome until it can be written', async () => {
      const { monque, faulty } = await withFaults();
      const { opened, open } = gate();
      let runs = 0;
      monque.register('work', async () => {
        runs += 1;
        await opened;
        return 'kept';
      });
      const completions = collect(monque, 'job:complete');
      monque.start();
      const job = await whenStarted(monque, monque.enqueue('work', {}));
      faulty.isDown = true;
      const told = nextEvent(monque, 'job:error');
      open();
      await told;
      expect((await api.stored(job)).status).toBe('processing');
      faulty.isDown = false;
      await eventually(async () => expect(await api.stored(job)).toMatchObject({ status: 'completed' }));
      await monque.stop();
      expect(await api.stored(job)).toMatchObject({ result: 'kept', failCount: 0 });
      expect(runs).toBe(1);
      expect(completions).toHaveLength(1);
    });

    test('after an outcome took effect neither repeats the run nor tells of it twice', async () => {
      const { monque, faulty } = await withFaults({ maxRetries: 1 });
      const ran: unknown[] = [];
      monque.register('work', ({ data }) => {
        ran.push(data);
        if (data === 'fails') throw new Error('broken');
      });
      const ends = [collect(monque, 'job:complete'), collect(monque, 'job:fail')];
      faulty.failNext('settle', 'after');
      await monque.enqueueMany(['works', 'fails'].map((data) => ({ name: 'work', data })));
      monque.start();
      await eventually(() => expect(ends.flat()).toHaveLength(2));
      await monque.stop();
      expect(ran.sort()).toEqual(['fails', 'works']);
      expect(ends.map((events) => events.length)).toEqual([1, 1]);
      expect((await api.store.counts()).byStatus).toEqual({ completed: 1, failed: 1 });
    });

    test('that hides the loss of a claim does not make its outcome count', async () => {
      const { monque, faulty } = await withFaults({ maxRetries: 1 });
      for (const operation of ['watch', 'renew', 'verify'] as const) faulty.broken.add(operation);
      const { opened, open } = gate();
      monque.register('work', async ({ data }) => {
        await opened;
        if (data === 'fails') throw new Error('late');
        return 'late';
      });
      const ends = [collect(monque, 'job:complete'), collect(monque, 'job:fail')];
      const jobs = await monque.enqueueMany(['works', 'fails'].map((data) => ({ name: 'work', data })));
      monque.start();
      await eventually(async () => expect((await api.store.counts()).byStatus.processing).toBe(2));
      const ids = jobs.map(({ _id }) => _id);
      await api.store.change(ids, { type: 'cancel', running: true }, await api.store.now());
      const before = await Promise.all(jobs.map((job) => api.stored(job)));
      open();
      await monque.stop();
      expect(ends.flat()).toEqual([]);
      expect(await Promise.all(jobs.map((job) => api.stored(job)))).toStrictEqual(before);
    });

    test('that ends lets the engine go on by itself', async () => {
      const { monque, faulty } = await withFaults({ pollInterval: 50, safetyPollInterval: 50 });
      monque.register('work', () => {});
      monque.start();
      faulty.isDown = true;
      const producer = await api.monque();
      const job = await producer.enqueue('work', {});
      await nextEvent(monque, 'job:error');
      faulty.isDown = false;
      expect(await producer.waitForJob(job._id, { timeout: 10_000 })).toMatchObject({ status: 'completed' });
    });

    test.skipIf(subject.watch === false)(
      'that breaks a stream of changes is told, and the stream opened again',
      async () => {
        const { monque, faulty } = await withFaults({ pollInterval: 600_000, safetyPollInterval: 600_000 });
        monque.register('work', () => {});
        const connected = nextEvent(monque, 'changestream:connected');
        monque.start();
        await connected;
        const told = nextEvent(monque, 'changestream:error');
        const again = nextEvent(monque, 'changestream:connected');
        faulty.loseStreams(new Error('The cursor was killed'));
        expect((await told)?.error.message).toContain('The cursor was killed');
        await again;
        const completed = nextEvent(monque, 'job:complete');
        await (await api.monque()).enqueue('work', {});
        await completed;
      },
    );
  });
}
