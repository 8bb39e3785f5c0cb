import { describe, expect, test } from 'vitest';
import { ServerClock } from '../../src/engine/server-clock.js';
import { memory } from '../../src/store/memory/memory-store.js';
import { withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

const DAY = 24 * 60 * 60 * 1_000;

function clockOn(
  host: VirtualHost,
  serverTime: () => number,
  roundTrip: number | (() => number) = 0,
): ServerClock {
  const store = withFaults(memory(), {
    async now() {
      const way = (typeof roundTrip === 'number' ? roundTrip : roundTrip()) / 2;
      await host.advance(way);
      const time = new Date(serverTime());
      await host.advance(way);
      return time;
    },
  });
  return new ServerClock(store, host);
}

describe('the estimate of the server’s clock', () => {
  test('is the host’s own time where the two agree', async () => {
    const host = new VirtualHost();
    const clock = clockOn(host, host.trueTime, 4);
    await clock.refresh();
    expect(clock.millis()).toBe(host.wallClock());
  });

  test.each([DAY, -DAY])(
    'follows the server when the host is off by %d ms, and is never early',
    async (skew) => {
      const host = new VirtualHost();
      host.skew = skew;
      const clock = clockOn(host, host.trueTime, 10);
      await clock.refresh();
      expect(clock.millis()).toBeLessThanOrEqual(host.trueTime());
      expect(clock.millis()).toBeGreaterThanOrEqual(host.trueTime() - 10);
    },
  );

  test('does not take a host that is ahead for right because the first answer was slow', async () => {
    const host = new VirtualHost();
    host.skew = 5_000;
    const clock = clockOn(host, host.trueTime, 20_000);
    await clock.refresh();
    expect(clock.millis()).toBeLessThanOrEqual(host.trueTime());
  });

  test('comes from a second question where the first answer was slow', async () => {
    const host = new VirtualHost();
    const roundTrips = [20_000, 0];
    const clock = clockOn(host, host.trueTime, () => roundTrips.shift() ?? 0);
    await clock.refresh();
    expect(clock.millis()).toBe(host.trueTime());
  });

  test.each([0, 5_000, -5_000])(
    'stays as it is through a slow answer when the host is off by %d ms',
    async (skew) => {
      const host = new VirtualHost();
      host.skew = skew;
      let roundTrip = 0;
      const clock = clockOn(host, host.trueTime, () => roundTrip);
      await clock.refresh();
      roundTrip = 20_000;
      await clock.refresh();
      expect(clock.millis()).toBe(host.trueTime());
    },
  );

  test('follows a slow answer that contradicts it', async () => {
    const host = new VirtualHost();
    let ahead = 0;
    const clock = clockOn(
      host,
      () => host.trueTime() + ahead,
      () => (ahead > 0 ? 10_000 : 0),
    );
    await clock.refresh();
    ahead = DAY;
    await clock.refresh();
    expect(clock.millis()).toBe(host.trueTime() + DAY - 5_000);
  });

  test('stays as it is through a slow answer after somebody has set the host’s clock', async () => {
    const host = new VirtualHost();
    let roundTrip = 0;
    const clock = clockOn(host, host.trueTime, () => roundTrip);
    await clock.refresh();
    host.skew = 5_000;
    roundTrip = 20_000;
    await clock.refresh();
    expect(clock.millis()).toBe(host.trueTime());
  });

  test('goes on evenly when somebody sets the host’s clock', async () => {
    const host = new VirtualHost();
    const clock = clockOn(host, host.trueTime);
    await clock.refresh();
    host.skew = DAY;
    await host.advance(5_000);
    expect(clock.millis()).toBe(host.trueTime());
    await clock.refresh();
    expect(clock.millis()).toBe(host.trueTime());
  });

  test('is not early by a part of a millisecond either when somebody has set the host’s clock', async () => {
    const host = new VirtualHost();
    const clock = clockOn(host, host.trueTime);
    await clock.refresh();
    host.skew = DAY;
    await host.advance(0.75);
    expect(clock.millis()).toBeLessThanOrEqual(host.trueTime());
  });

  test('asks at once when the machine has slept, instead of living in the past', async () => {
    const host = new VirtualHost();
    let slept = 0;
    const clock = clockOn(host, () => host.trueTime() + slept);
    await clock.refresh();
    slept = 60 * 60 * 1_000;
    host.skew = slept;
    clock.millis();
    for (let turn = 0; turn < 5; turn++) await host.advance(1);
    expect(clock.millis()).toBe(host.trueTime() + slept);
  });

  test('is asked for again when the host’s clock is set while the first question is under way', async () => {
    const host = new VirtualHost();
    host.skew = DAY;
    const clock = clockOn(host, () => {
      host.skew = 0;
      return host.trueTime();
    });
    await clock.refresh();
    expect(clock.millis()).toBe(host.trueTime());
  });

  test('keeps what it knew when the host’s clock is set while the question is under way', async () => {
    const host = new VirtualHost();
    const clock = clockOn(host, () => {
      host.skew += DAY;
      return host.trueTime();
    });
    await clock.refresh();
    expect(clock.millis()).toBe(host.trueTime());
  });
});
