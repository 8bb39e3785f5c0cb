import { describe, expect, test } from 'vitest';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

describe('stop', () => {
  test('waits for running handlers and their stored outcomes, and takes no new job', async () => {
    const host = new VirtualHost();
    const under = await engineOn(memory({ clock: host.trueTime }), host, { workerConcurrency: 1 });
    under.register('work', () => new Promise<void>((resolve) => void host.after(5_000, resolve)));
    const first = await under.insert('work');
    const second = await under.insert('work');
    under.engine.start();
    await host.advance(10);
    let stopped = false;
    void under.engine.stop().then(() => (stopped = true));
    await host.advance(1_000);
    expect(stopped).toBe(false);
    await host.advance(10_000);
    expect(stopped).toBe(true);
    expect((await under.job(first._id)).status).toBe('completed');
    expect((await under.job(second._id)).status).toBe('pending');
  });

  test('gives claims back that arrive after it was called', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const slow = withFaults(store, {
      async claim(request) {
        const claimed = await store.claim(request);
        await new Promise<void>((resolve) => host.after(500, resolve));
        return claimed;
      },
    });
    const under = await engineOn(slow, host);
    let ran = false;
    under.register('work', () => {
      ran = true;
    });
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(10);
    const stopped = under.engine.stop();
    await host.advance(1_000);
    await stopped;
    expect(ran).toBe(false);
    const stored = await under.job(job._id);
    expect(stored).toMatchObject({ status: 'pending', failCount: 0 });
    expect(stored).not.toHaveProperty('claimToken');
  });

  test('resolves when the time is up, says which jobs still run, and lets a late success count', async () => {
    const host = new VirtualHost();
    const under = await engineOn(memory({ clock: host.trueTime }), host, { shutdownTimeout: 1_000 });
    let finish: () => void = () => {};
    let reason: unknown;
    under.register('work', (_job, { signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return new Promise<void>((resolve) => (finish = resolve));
    });
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(10);
    const stopped = under.engine.stop();
    await host.advance(1_100);
    await stopped;
    const [event] = under.named('job:error');
    expect(event?.error).toMatchObject({ name: 'ShutdownTimeoutError', incompleteJobs: [{ _id: job._id }] });
    expect(reason).toMatchObject({ reason: 'shutdown' });
    finish();
    await host.advance(100);
    expect((await under.job(job._id)).status).toBe('completed');
  });

  test('gives back, without counting a failure, what gave up because of it', async () => {
    const host = new VirtualHost();
    const under = await engineOn(memory({ clock: host.trueTime }), host, { shutdownTimeout: 1_000 });
    under.register('work', (_job, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(10);
    const stopped = under.engine.stop();
    await host.advance(2_000);
    await stopped;
    expect(await under.job(job._id)).toMatchObject({ status: 'pending', failCount: 0 });
    expect(under.named('job:fail')).toEqual([]);
  });

  test('ends a drain, and waits for what it runs', async () => {
    const host = new VirtualHost();
    const under = await engineOn(memory({ clock: host.trueTime }), host, { workerConcurrency: 1 });
    let runs = 0;
    under.register('work', () => {
      runs++;
      return new Promise<void>((resolve) => void host.after(500, resolve));
    });
    for (let index = 0; index < 5; index++) await under.insert('work');
    const drained = under.engine.drain();
    await host.advance(100);
    const stopped = under.engine.stop();
    await host.advance(600);
    await stopped;
    await host.advance(5_000);
    expect(runs).toBe(1);
    expect(await drained).toMatchObject({ completed: 1 });
  });

  test('waits for the claim of a drain, and gives back what it brings', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const slow = withFaults(store, {
      async claim(request) {
        const claimed = await store.claim(request);
        await new Promise<void>((resolve) => host.after(500, resolve));
        return claimed;
      },
    });
    const under = await engineOn(slow, host);
    let ran = false;
    under.register('work', () => {
      ran = true;
    });
    const job = await under.insert('work');
    const drained = under.engine.drain();
    await host.advance(10);
    const stopped = under.engine.stop();
    await host.advance(1_000);
    await stopped;
    expect(ran).toBe(false);
    expect(await under.job(job._id)).toMatchObject({ status: 'pending', failCount: 0 });
    expect(await drained).toMatchObject({ completed: 0 });
  });

  test('lets a drain that comes meanwhile take its turn, and then renew what it runs', async () => {
    const host = new VirtualHost();
    const lockTimeout = 1_000;
    const store: JobStore = memory({ clock: host.trueTime });
    const a = await engineOn(store, host, { lockTimeout, workerConcurrency: 1 });
    const b = await engineOn(store, host, { lockTimeout });
    let runs = 0;
    for (const under of [a, b]) {
      under.register('work', () => {
        runs++;
        return new Promise<void>((resolve) => void host.after(5_000, resolve));
      });
    }
    await a.insert('work');
    a.engine.start();
    await host.advance(10);
    await a.insert('work');
    const stopped = a.engine.stop();
    const drained = a.engine.drain();
    await host.advance(6_000);
    await stopped;
    b.engine.start();
    await host.advance(6_000);
    expect(runs).toBe(2);
    expect(await drained).toMatchObject({ completed: 1 });
  });

  test('that ran out of time with a claim under way can be followed by a start', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let hanging = true;
    const slow = withFaults(store, {
      async claim(request) {
        while (hanging) await new Promise<void>((resolve) => host.after(10, resolve));
        return store.claim(request);
      },
    });
    const under = await engineOn(slow, host, { shutdownTimeout: 100 });
    let runs = 0;
    under.register('work', () => void runs++);
    await under.insert('work');
    under.engine.start();
    await host.advance(10);
    const stopped = under.engine.stop();
    await host.advance(1_000);
    await stopped;
    under.engine.start();
    hanging = false;
    await host.advance(1_000);
    expect(runs).toBe(1);
  });

  test('does not wait long for a stream that cannot be closed', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const stuck = withFaults(store, {
      watch: async (observer) => ({ ...(await store.watch(observer)), close: () => new Promise(() => {}) }),
    });
    const under = await engineOn(stuck, host);
    under.engine.start();
    await host.advance(1_000);
    const stopped = under.engine.stop();
    await host.advance(200);
    await stopped;
    expect(under.named('job:error')).toEqual([]);
  });

  test('can be followed by another start', async () => {
    const host = new VirtualHost();
    const under = await engineOn(memory({ clock: host.trueTime }), host);
    let runs = 0;
    under.register('work', () => void runs++);
    for (let round = 1; round <= 3; round++) {
      under.engine.start();
      await under.insert('work');
      await host.advance(1_000);
      const stopped = under.engine.stop();
      await host.advance(1_000);
      await stopped;
      expect(runs).toBe(round);
    }
  });
});
