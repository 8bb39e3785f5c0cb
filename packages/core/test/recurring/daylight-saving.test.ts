import { describe, expect, test } from 'vitest';
import { VirtualTemplates } from './virtual-templates.js';

describe('on the days on which clocks change, in virtual time', () => {
  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-03-27T12:00:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
    ['Europe/Berlin', '30 2 * * *', '2026-10-23T12:00:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
    ['America/New_York', '30 2 * * *', '2026-03-06T12:00:00Z', ['03-07T07:30', '03-08T07:00', '03-09T06:30']],
    ['America/New_York', '30 1 * * *', '2026-10-30T12:00:00Z', ['10-31T05:30', '11-01T05:30', '11-02T06:30']],
  ])('%s, %s: no day twice and none missing', async (timezone, cron, from, expected) => {
    const virtual = new VirtualTemplates();
    await virtual.until(from);
    await virtual.put('daily', { cron, timezone });
    const processes = [
      await virtual.process({ pollInterval: 600_000 }),
      await virtual.process({ pollInterval: 600_000 }),
    ];
    for (const { engine } of processes) engine.start();
    await virtual.host.advance(3 * 86_400_000);
    expect((await virtual.times()).map((time) => time.slice(5, 16))).toEqual(expected);
    for (const { engine } of processes) await engine.stop();
  });
});
