import { describe, expect, test } from 'vitest';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { breakable, engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

const lockTimeout = 1_000;

describe('leases', () => {
  test('slide for as long as the process lives', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const a = await engineOn(store, host, { lockTimeout });
    const b = await engineOn(store, host, { lockTimeout });
    let runs = 0;
    let finish: () => void = () => {};
    for (const under of [a, b]) {
      under.register('long', () => {
        runs++;
        return new Promise<void>((resolve) => (finish = resolve));
      });
    }
    const job = await a.insert('long');
    a.engine.start();
    b.engine.start();
    await host.advance(20 * lockTimeout);
    expect(runs).toBe(1);
    finish();
    await host.advance(100);
    expect((await a.job(job._id)).status).toBe('completed');
  });

  test('of a process that fell silent are taken over while others run, and its late outcome counts for nothing', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const { store: overNetwork, down } = breakable(store);
    const a = await engineOn(overNetwork, host, { lockTimeout });
    const b = await engineOn(store, host, { lockTimeout });
    let finishA: (value: string) => void = () => {};
    a.register('work', () => new Promise((resolve) => (finishA = resolve)));
    b.register('work', () => 'from b');
    const job = await a.insert('work');
    a.engine.start();
    await host.advance(10);
    down.now = true;
    b.engine.start();
    await host.advance(2 * lockTimeout);
    expect(await b.job(job._id)).toMatchObject({ status: 'completed', result: 'from b' });
    expect(b.named('stale:recovered')).toEqual([{ count: 1 }]);
    down.now = false;
    finishA('from a');
    await host.advance(10_000);
    expect(await b.job(job._id)).toMatchObject({ status: 'completed', result: 'from b' });
    expect(a.named('job:complete')).toEqual([]);
  });

  test('that come back to the same process under a new claim end the old run', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const unrenewed = withFaults(store, {
      renew: async () => {
        throw new Error('network is down');
      },
    });
    const under = await engineOn(unrenewed, host, { lockTimeout });
    const reasons: unknown[] = [];
    under.register('work', (_job, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return new Promise(() => {});
    });
    await under.insert('work');
    under.engine.start();
    await host.advance(1.9 * lockTimeout);
    expect(under.named('job:start')).toHaveLength(2);
    expect(reasons).toMatchObject([{ reason: 'taken' }]);
  });

  test('that were lost abort the run through its signal', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const under = await engineOn(store, host, { lockTimeout });
    let reason: unknown;
    under.register('work', (_job, { signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return new Promise(() => {});
    });
    await under.insert('work');
    under.engine.start();
    await host.advance(10);
    const far = new Date(host.trueTime() + 10 * lockTimeout);
    await store.recover({ now: far, lockTimeout: -1, legacyLockTimeout: -1 });
    await store.claim({
      owner: 'other',
      token: 'x',
      wants: [{ name: 'work', limit: 1 }],
      total: 1,
      now: far,
      heartbeatInterval: 1,
    });
    await host.advance(lockTimeout);
    expect(reason).toMatchObject({ name: 'RunAbortedError', reason: 'taken' });
  });

  test('that are cancelled while a look is under way are looked at again', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const slow = withFaults(store, {
      async verify(owner, claims) {
        const lost = await store.verify(owner, claims);
        await new Promise<void>((resolve) => host.after(30, resolve));
        return lost;
      },
    });
    const under = await engineOn(slow, host);
    const stopped: unknown[] = [];
    under.register('work', (job, { signal }) => {
      signal.addEventListener('abort', () => stopped.push(job._id));
      return new Promise(() => {});
    });
    const a = await under.insert('work');
    const b = await under.insert('work');
    under.engine.start();
    await host.advance(100);
    for (const { _id } of [a, b]) {
      await store.change([_id], { type: 'cancel', running: true }, new Date(host.trueTime()));
      await host.advance(10);
    }
    await host.advance(100);
    expect(stopped).toEqual([a._id, b._id]);
  });

  test('of handlers that outlive a shutdown slide on', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const a = await engineOn(store, host, { lockTimeout, shutdownTimeout: 100 });
    const b = await engineOn(store, host, { lockTimeout });
    let runs = 0;
    for (const under of [a, b]) {
      under.register('work', () => {
        runs++;
        return new Promise(() => {});
      });
    }
    await a.insert('work');
    a.engine.start();
    await host.advance(10);
    b.engine.start();
    const stopped = a.engine.stop();
    await host.advance(10 * lockTimeout);
    await stopped;
    expect(runs).toBe(1);
  });

  test('are not swept right after an outage, because their owners could not renew them either', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const outage = { now: false };
    const hang = async (): Promise<void> => {
      while (outage.now) await new Promise<void>((resolve) => host.after(10, resolve));
    };
    // As a server that is frozen: calls hang, and go through once it is continued. The owner's come last.
    const frozen = (late: number) =>
      withFaults(store, {
        now: () => hang().then(() => store.now()),
        recover: (request) => hang().then(() => store.recover(request)),
        renew: async (owner, claims) => {
          await hang();
          await new Promise<void>((resolve) => host.after(late, resolve));
          return store.renew(owner, claims);
        },
      });
    const owner = await engineOn(frozen(200), host, { lockTimeout });
    const other = await engineOn(frozen(0), host, { lockTimeout });
    let runs = 0;
    for (const under of [owner, other]) {
      under.register('work', () => {
        runs++;
        return new Promise(() => {});
      });
    }
    await owner.insert('work');
    owner.engine.start();
    await host.advance(10);
    other.engine.start();
    await host.advance(500);
    outage.now = true;
    await host.advance(5 * lockTimeout);
    outage.now = false;
    await host.advance(5 * lockTimeout);
    expect(runs).toBe(1);
    expect(other.named('stale:recovered')).toEqual([]);
  });

  test('by a host whose clock is a day off take nothing that lives', async () => {
    const host = new VirtualHost();
    const wrong = new VirtualHost();
    wrong.skew = 24 * 60 * 60 * 1_000;
    const store: JobStore = memory({ clock: host.trueTime });
    const a = await engineOn(store, host, { lockTimeout });
    let runs = 0;
    a.register('work', () => {
      runs++;
      return new Promise(() => {});
    });
    await a.insert('work');
    a.engine.start();
    const b = await engineOn(store, wrong, { lockTimeout });
    b.register('work', () => {
      runs++;
    });
    b.engine.start();
    for (let step = 0; step < 50; step++) {
      await host.advance(100);
      await wrong.advance(100);
    }
    expect(runs).toBe(1);
  });
});
