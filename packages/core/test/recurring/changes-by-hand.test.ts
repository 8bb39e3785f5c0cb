import { describe, expect, test } from 'vitest';
import { MINUTE, minutes, VirtualTemplates } from './virtual-templates.js';

describe('a template that somebody changes by hand', () => {
  test.each([
    ['is paused', { enabled: false }, []],
    ['gets another cron text', { cron: '*/10 * * * * *' }, ['00:00:50.000', '00:01:00.000', '00:01:10.000']],
    ['gets another time zone', { cron: '31 5 * * *', timezone: 'Asia/Kolkata' }, ['00:01:00.000']],
    ['loses its next time', { nextExecution: undefined }, ['00:01:00.000']],
    [
      'gets another next time',
      { nextExecution: new Date('2026-01-01T00:00:45Z') },
      ['00:00:45.000', '00:01:00.000'],
    ],
  ])('%s: it takes effect within one poll', async (_, change, expected) => {
    const virtual = new VirtualTemplates();
    await virtual.put('report');
    const { engine } = await virtual.process();
    engine.start();
    await virtual.host.advance(40_000);
    await virtual.byHand('report', change);
    await virtual.host.advance(35_000);
    expect((await virtual.times()).map((time) => time.slice(11, 23))).toEqual(expected);
    await engine.stop();
  });

  test('cannot fire: it is told once per change, and the others go on', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('broken');
    await virtual.put('sound');
    const { engine, named } = await virtual.process();
    engine.start();
    await virtual.host.advance(1_000);
    await virtual.byHand('broken', { cron: 'at noon' });
    await virtual.host.advance(3 * MINUTE);
    expect(named('recurring:error').map(({ id, error }) => [id, error.name])).toEqual([
      ['broken', 'InvalidCronError'],
    ]);
    expect(await virtual.times()).toEqual(minutes(1, 2, 3));

    await virtual.byHand('broken', { cron: '* * * * *', timezone: 'Middle/Earth' });
    await virtual.host.advance(10_000);
    await virtual.byHand('broken', { timezone: 'UTC', name: 'not a name' });
    await virtual.host.advance(10_000);
    expect(named('recurring:error').map(({ error }) => error.name)).toEqual([
      'InvalidCronError',
      'InvalidOptionError',
      'InvalidJobIdentifierError',
    ]);

    await virtual.byHand('broken', { name: 'work' });
    await virtual.host.advance(MINUTE);
    expect(named('recurring:error')).toHaveLength(3);
    expect((await virtual.times()).filter((time) => time === minutes(4)[0])).toHaveLength(2);
    await engine.stop();
  });

  test('has a payload that cannot be read: told when it is due, and it fires once that is put right', async () => {
    const virtual = new VirtualTemplates();
    await virtual.put('report');
    const { engine, named } = await virtual.process();
    engine.start();
    await virtual.host.advance(1_000);
    await virtual.byHand('report', { unreadable: 'The arguments are no JSON' });
    await virtual.host.advance(2 * MINUTE);
    expect(named('recurring:error').map(({ id, error }) => [id, error.message])).toEqual([
      ['report', 'The arguments are no JSON'],
    ]);
    await virtual.byHand('report', { unreadable: undefined });
    await virtual.host.advance(1_000);
    expect(await virtual.times()).toEqual(minutes(2));
    await engine.stop();
  });
});
