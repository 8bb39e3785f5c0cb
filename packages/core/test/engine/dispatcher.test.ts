import { describe, expect, test } from 'vitest';
import { WatchUnsupportedError } from '../../src/errors/operation-errors.js';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const rarePolls = { pollInterval: HOUR, safetyPollInterval: HOUR };

const unwatched: Pick<JobStore, 'watch'> = {
  watch: async () => {
    throw new WatchUnsupportedError('No stream here');
  },
};

describe('the dispatcher', () => {
  test('runs a future job when it is due, with polls far away', async () => {
    const host = new VirtualHost();
    const store = withFaults(memory({ clock: host.trueTime }), unwatched);
    const under = await engineOn(store, host, rarePolls);
    const startedAt: number[] = [];
    under.register('later', () => void startedAt.push(host.trueTime()));
    const due = host.trueTime() + 90_000;
    under.engine.start();
    await host.advance(1_000);
    await under.insert('later', { nextRunAt: new Date(due) });
    await host.advance(5 * 60_000);
    expect(startedAt).toEqual([due]);
  });

  test('runs a job that was stored before it started, when it is due, beyond the longest timer of Node', async () => {
    const host = new VirtualHost();
    const store = withFaults(memory({ clock: host.trueTime }), unwatched);
    const under = await engineOn(store, host, { pollInterval: 400 * DAY });
    const startedAt: number[] = [];
    under.register('later', () => void startedAt.push(host.trueTime()));
    const due = host.trueTime() + 30 * DAY;
    await under.insert('later', { nextRunAt: new Date(due) });
    under.engine.start();
    await host.advance(31 * DAY);
    expect(startedAt).toEqual([due]);
  });

  test('runs a retry when it is due, with polls far away', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const under = await engineOn(store, host, { ...rarePolls, baseRetryInterval: 1_000 });
    const startedAt: number[] = [];
    under.register('flaky', () => {
      startedAt.push(host.trueTime());
      if (startedAt.length < 4) throw new Error('not yet');
    });
    await under.insert('flaky');
    under.engine.start();
    await host.advance(60_000);
    const gaps = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
    expect(gaps.map((gap) => Math.round(gap / 100) * 100)).toEqual([2_000, 4_000, 8_000]);
  });

  test('without a stream, looks often while jobs come, and ever more rarely while none does', async () => {
    const host = new VirtualHost();
    const inner = memory({ clock: host.trueTime });
    const looks: number[] = [];
    const store = withFaults(inner, {
      ...unwatched,
      claim: (request) => {
        looks.push(host.trueTime());
        return inner.claim(request);
      },
    });
    const worker = await engineOn(store, host, { pollInterval: 1_000 });
    const producer = await engineOn(inner, host);
    const startedAt: number[] = [];
    worker.register('work', () => void startedAt.push(host.trueTime()));
    worker.engine.start();
    await host.advance(60_000);
    const idle = looks.splice(0);
    expect(idle.length).toBeGreaterThan(55);
    expect(idle.length).toBeLessThan(70);
    // The first may have to wait for the poll; each brings the next look closer.
    await producer.insert('work');
    while (startedAt.length === 0) await host.advance(25);
    for (let n = 2; n <= 10; n++) {
      await producer.insert('work');
      await host.advance(250);
      expect(startedAt).toHaveLength(n);
    }
  });

  test('sees a job of another process at once where there is a stream of changes', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const worker = await engineOn(store, host, rarePolls);
    const producer = await engineOn(store, host, rarePolls);
    let ran = false;
    worker.register('work', () => {
      ran = true;
    });
    worker.engine.start();
    await host.advance(1_000);
    await producer.insert('work');
    await host.advance(10);
    expect(ran).toBe(true);
  });

  test('is not woken by jobs that only other processes run', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let claims = 0;
    const counting = withFaults(store, {
      claim: (request) => {
        claims++;
        return store.claim(request);
      },
    });
    const worker = await engineOn(counting, host, rarePolls);
    const producer = await engineOn(store, host, rarePolls);
    worker.register('work', () => {});
    worker.engine.start();
    await host.advance(1_000);
    claims = 0;
    for (let index = 0; index < 5; index++) await producer.insert('other');
    await host.advance(1_000);
    expect(claims).toBe(0);
    await producer.insert('work');
    await host.advance(1_000);
    expect(claims).toBeGreaterThan(0);
  });

  test('comes back to jobs that it fetched ahead and gave back, with polls far away', async () => {
    const host = new VirtualHost();
    const store: JobStore = withFaults(memory({ clock: host.trueTime }), unwatched);
    const under = await engineOn(store, host, { ...rarePolls, workerConcurrency: 1 });
    let ms = 5;
    let ran = 0;
    under.register('work', () => {
      ran++;
      return new Promise<void>((resolve) => void host.after(ms, resolve));
    });
    under.engine.start();
    for (let index = 0; index < 60; index++) await under.insert('work');
    await host.advance(150);
    expect(ran).toBeGreaterThan(10);
    expect(ran).toBeLessThan(50);
    ms = 2_000;
    await host.advance(60 * 2_000 + 1_000);
    expect(ran).toBe(60);
  });

  test('goes on by itself after an outage', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let down = true;
    const faulty = withFaults(store, {
      claim: async (request) => {
        if (down) throw new Error('connection refused');
        return store.claim(request);
      },
    });
    const under = await engineOn(faulty, host);
    let ran = false;
    under.register('work', () => {
      ran = true;
    });
    await under.insert('work');
    under.engine.start();
    await host.advance(HOUR);
    const complaints = under.named('job:error').length;
    expect(complaints).toBeGreaterThan(1);
    expect(complaints).toBeLessThan(2_000);
    down = false;
    await host.advance(10_000);
    expect(ran).toBe(true);
  });

  test('keeps the order of priorities and due times over all names under a limit of the process', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const under = await engineOn(store, host, { instanceConcurrency: 1, workerConcurrency: 5 });
    const ran: string[] = [];
    for (const name of ['low', 'high', 'a', 'b']) {
      under.register(
        name,
        () =>
          new Promise<void>((resolve) => {
            ran.push(name);
            host.after(200, resolve);
          }),
      );
    }
    const now = host.trueTime();
    for (let index = 0; index < 3; index++) {
      await under.insert('low', { nextRunAt: new Date(now - 100) });
      await under.insert('high', { priority: 10 });
    }
    under.engine.start();
    await host.advance(3_000);
    expect(ran).toEqual(['high', 'high', 'high', 'low', 'low', 'low']);
    ran.length = 0;
    for (let index = 0; index < 6; index++) {
      await under.insert(index % 2 ? 'b' : 'a', { nextRunAt: new Date(host.trueTime() - 50 + index) });
    }
    await host.advance(3_000);
    expect(ran).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  test('asks an idle store rarely, also for 200 names', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let calls = 0;
    const counting = new Proxy(store, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          calls++;
          return Reflect.apply(member, target, args);
        };
      },
    });
    const under = await engineOn(withFaults(counting, unwatched), host);
    for (let index = 0; index < 200; index++) under.register(`name-${index}`, () => {});
    under.engine.start();
    await host.advance(1_000);
    calls = 0;
    await host.advance(60_000);
    expect(calls / 60).toBeLessThan(3);
  });
});
