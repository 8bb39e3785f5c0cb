import { describe, expect, test } from 'vitest';
import { Rush } from '../../src/engine/dispatch/rush.js';
import { WakeUps } from '../../src/engine/dispatch/wake-ups.js';
import { WatchUnsupportedError } from '../../src/errors/operation-errors.js';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import type { WatchObserver } from '../../src/store/watch-types.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

/** Wake-ups on a store that counts its streams, and a way to break the open one. */
async function wakeUpsOn(watch?: () => Promise<void>) {
  const host = new VirtualHost();
  const inner: JobStore = memory({ clock: host.trueTime });
  const streams = { opened: 0, open: 0, observer: undefined as WatchObserver | undefined };
  const store = withFaults(inner, {
    async watch(observer) {
      streams.opened++;
      await watch?.();
      const subscription = await inner.watch(observer);
      streams.observer = observer;
      streams.open++;
      return {
        close: async () => {
          streams.open--;
          await subscription.close();
        },
      };
    },
  });
  const under = await engineOn(store, host);
  let looks = 0;
  const wakeUps = new WakeUps(under.parts, {
    due: () => {},
    stopped: () => {},
    watchingChanged: () => {
      looks++;
    },
  });
  return { host, streams, wakeUps, looks: () => looks, names: () => under.events.map(({ name }) => name) };
}

describe('the stream of changes', () => {
  test('is not waited for by a stop that comes before it has opened, and is closed when it has', async () => {
    let open: () => void = () => {};
    const { host, streams, wakeUps, names } = await wakeUpsOn(
      () =>
        new Promise((resolve) => {
          open = resolve;
        }),
    );
    wakeUps.start();
    await host.advance(10);
    let isStopped = false;
    void wakeUps.stop().then(() => {
      isStopped = true;
    });
    await host.advance(10);
    expect(isStopped).toBe(true);
    open();
    await host.advance(10);
    expect(streams).toMatchObject({ opened: 1, open: 0 });
    expect(names()).toEqual([]);
  });

  test('is opened at the start and closed before the stop is over', async () => {
    const { host, streams, wakeUps, names } = await wakeUpsOn();
    wakeUps.start();
    await host.advance(10);
    expect(wakeUps.watching).toBe(true);
    await wakeUps.stop();
    expect(wakeUps.watching).toBe(false);
    expect(streams.open).toBe(0);
    expect(names()).toEqual(['changestream:connected', 'changestream:closed']);
  });

  test('rests while claims come back full, and is opened again afterwards, without a word', async () => {
    const { host, streams, wakeUps, looks, names } = await wakeUpsOn();
    wakeUps.start();
    await host.advance(10);
    wakeUps.rushing = true;
    await host.advance(10);
    expect(streams.open).toBe(0);
    expect(wakeUps.watching).toBe(false);
    const before = looks();
    wakeUps.rushing = false;
    await host.advance(10);
    expect(streams).toMatchObject({ open: 1, opened: 2 });
    // What happened while nobody watched is looked for.
    expect(looks()).toBeGreaterThan(before);
    await wakeUps.stop();
    expect(names()).toEqual(['changestream:connected', 'changestream:closed']);
  });

  test('that rests is said to be closed by the stop', async () => {
    const { host, wakeUps, names } = await wakeUpsOn();
    wakeUps.start();
    await host.advance(10);
    wakeUps.rushing = true;
    await host.advance(10);
    await wakeUps.stop();
    expect(names()).toEqual(['changestream:connected', 'changestream:closed']);
  });

  test('is opened again after it broke, with growing delays, for ever', async () => {
    let failures = 0;
    const { host, streams, wakeUps, names } = await wakeUpsOn(async () => {
      if (failures-- > 0) throw new Error('connection refused');
    });
    wakeUps.start();
    await host.advance(10);
    failures = 20;
    streams.observer?.lost(new Error('cursor killed'));
    await host.advance(1_000);
    expect(wakeUps.watching).toBe(false);
    expect(streams.opened).toBeLessThan(8);
    await host.advance(200_000);
    expect(wakeUps.watching).toBe(true);
    expect(names().filter((name) => name === 'changestream:error')).toHaveLength(21);
    expect(names().filter((name) => name === 'changestream:connected')).toHaveLength(2);
  });

  test('that cannot be had is said once, and not tried again', async () => {
    const { host, streams, wakeUps, names } = await wakeUpsOn(async () => {
      throw new WatchUnsupportedError('No stream here');
    });
    wakeUps.start();
    await host.advance(100_000);
    await wakeUps.stop();
    expect(streams.opened).toBe(1);
    expect(names()).toEqual(['changestream:fallback']);
  });
});

describe('a rush', () => {
  test('is more than a thousand jobs a second for half a second, in claims that leave more behind', () => {
    const rush = new Rush();
    for (let now = 0; now < 500; now += 50) expect(rush.note(100, true, now)).toBe(false);
    expect(rush.note(100, true, 500)).toBe(true);
    expect(rush.note(100, true, 550)).toBe(true);
  });

  test('ends with the first claim that leaves nothing behind', () => {
    const rush = new Rush();
    for (let now = 0; now <= 600; now += 50) rush.note(100, true, now);
    expect(rush.note(100, false, 650)).toBe(false);
    expect(rush.note(100, true, 700)).toBe(false);
  });

  test('is not a backlog of slow jobs', () => {
    const rush = new Rush();
    for (let now = 0; now <= 60_000; now += 1_000) expect(rush.note(50, true, now)).toBe(false);
  });
});
