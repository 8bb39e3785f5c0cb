import { describe, expect, test } from 'vitest';
import { dueOccurrences, type Timing } from '../../src/engine/recurring/due-occurrences.js';

const EVERY_SECOND = '* * * * * *';
const EVERY_MINUTE = '* * * * *';

/** A template of ours that waits for `nextExecution`. */
function waiting(nextExecution: string, parts: Partial<Timing> = {}): Timing {
  const template = { cron: EVERY_MINUTE, timezone: 'UTC', misfire: 'once', enabled: true, ...parts } as const;
  const { cron, timezone } = template;
  return { ...template, nextExecution: new Date(nextExecution), planned: { cron, timezone }, ...parts };
}

function dueAt(now: string, template: Timing): { times: string[]; next: string } {
  const { times, next } = dueOccurrences(template, new Date(now));
  return { times: times.map((time) => time.toISOString()), next: next.toISOString() };
}

describe('a template', () => {
  test('fires for its next time, and goes on with the one after now', () => {
    expect(dueAt('2026-01-05T10:00:00.000Z', waiting('2026-01-05T10:00:00Z'))).toEqual({
      times: ['2026-01-05T10:00:00.000Z'],
      next: '2026-01-05T10:01:00.000Z',
    });
  });

  test('does not fire before its next time', () => {
    expect(dueAt('2026-01-05T09:59:59.999Z', waiting('2026-01-05T10:00:00Z'))).toEqual({
      times: [],
      next: '2026-01-05T10:00:00.000Z',
    });
  });

  test('without a next time gets one, and does not fire', () => {
    const { nextExecution: _, planned: _planned, ...fresh } = waiting('2026-01-05T10:00:00Z');
    expect(dueAt('2026-01-05T09:30:15.000Z', fresh)).toEqual({
      times: [],
      next: '2026-01-05T09:31:00.000Z',
    });
  });

  test('of others keeps the next time that they gave it, on the cron text or not', () => {
    const { planned: _, ...adopted } = waiting('2026-01-05T10:00:20Z');
    expect(dueAt('2026-01-05T09:30:00.000Z', adopted).next).toBe('2026-01-05T10:00:20.000Z');
    expect(dueAt('2026-01-05T10:00:20.000Z', adopted)).toEqual({
      times: ['2026-01-05T10:00:20.000Z'],
      next: '2026-01-05T10:01:00.000Z',
    });
  });

  test.each([
    ['cron text', { cron: '0 * * * *' }, '2026-01-05T11:00:00.000Z'],
    ['time zone', { timezone: 'Europe/Berlin', cron: '30 11 * * *' }, '2026-01-05T10:30:00.000Z'],
  ])('whose %s was changed by hand begins from now', (_, changed, next) => {
    const planned = { cron: '* * * * *', timezone: 'UTC' };
    const template = { ...waiting('2026-01-05T09:00:00Z'), ...changed, planned };
    expect(dueAt('2026-01-05T10:00:30.000Z', template)).toEqual({ times: [], next });
  });

  test('fires for every time of the last ten seconds: a process that hung costs none', () => {
    const template = waiting('2026-01-05T10:00:01Z', { cron: EVERY_SECOND, misfire: 'skip' });
    const { times, next } = dueAt('2026-01-05T10:00:07.500Z', template);
    expect(times).toHaveLength(7);
    expect(times[0]).toBe('2026-01-05T10:00:01.000Z');
    expect(times[6]).toBe('2026-01-05T10:00:07.000Z');
    expect(next).toBe('2026-01-05T10:00:08.000Z');
  });
});

describe('times that were missed', () => {
  const silentForAnHour = (parts: Partial<Timing>) =>
    dueAt('2026-01-05T11:00:30.000Z', waiting('2026-01-05T10:00:00Z', parts));

  test('once: one job for the latest of them, by default', () => {
    expect(silentForAnHour({})).toEqual({
      times: ['2026-01-05T11:00:00.000Z'],
      next: '2026-01-05T11:01:00.000Z',
    });
  });

  test('once: none of its own where a time within the grace period makes one anyway', () => {
    const { times } = dueAt('2026-01-05T11:00:03.000Z', waiting('2026-01-05T10:00:00Z'));
    expect(times).toEqual(['2026-01-05T11:00:00.000Z']);
  });

  test('once: the one that was planned, where it is the only one', () => {
    const { times } = dueAt(
      '2026-01-05T15:00:00.000Z',
      waiting('2026-01-05T02:30:00Z', { cron: '30 2 * * *' }),
    );
    expect(times).toEqual(['2026-01-05T02:30:00.000Z']);
  });

  test('skip: none', () => {
    expect(silentForAnHour({ misfire: 'skip' })).toEqual({ times: [], next: '2026-01-05T11:01:00.000Z' });
  });

  test('skip: those within the grace period are not missed', () => {
    const template = waiting('2026-01-05T10:00:00Z', { misfire: 'skip' });
    expect(dueAt('2026-01-05T11:00:10.000Z', template).times).toEqual(['2026-01-05T11:00:00.000Z']);
    expect(dueAt('2026-01-05T11:00:10.001Z', template).times).toEqual([]);
  });

  test('all: each of them', () => {
    const { times } = silentForAnHour({ misfire: 'all' });
    expect(times).toHaveLength(61);
    expect([times[0], times[60]]).toEqual(['2026-01-05T10:00:00.000Z', '2026-01-05T11:00:00.000Z']);
    expect(new Set(times).size).toBe(61);
  });

  test('all: the latest 1,000 at most, in their order', () => {
    const template = waiting('2025-01-05T10:00:00Z', { misfire: 'all' });
    const { times } = dueAt('2026-01-05T11:00:30.000Z', template);
    expect(times).toHaveLength(1_000);
    expect(times[999]).toBe('2026-01-05T11:00:00.000Z');
    expect(times[0]).toBe(new Date(Date.parse('2026-01-05T11:00:00Z') - 999 * 60_000).toISOString());
    expect(times).toEqual([...times].sort());
  });

  test.each(['once', 'all', 'skip'] as const)('%s: years of silence take no long search', (misfire) => {
    const template = waiting('2006-01-05T10:00:00Z', {
      cron: EVERY_SECOND,
      misfire,
      timezone: 'Europe/Berlin',
    });
    const { times } = dueAt('2026-01-05T11:00:30.000Z', template);
    expect(times).toHaveLength({ once: 11, all: 1_011, skip: 11 }[misfire]);
  });
});

describe('on the days on which clocks change', () => {
  test.each([
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28',
      '2026-03-31',
      ['03-28T01:30', '03-29T01:00', '03-30T00:30'],
    ],
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-10-24',
      '2026-10-27',
      ['10-24T00:30', '10-25T00:30', '10-26T01:30'],
    ],
    [
      'America/New_York',
      '30 2 * * *',
      '2026-03-07',
      '2026-03-10',
      ['03-07T07:30', '03-08T07:00', '03-09T06:30'],
    ],
    [
      'America/New_York',
      '30 1 * * *',
      '2026-10-31',
      '2026-11-03',
      ['10-31T05:30', '11-01T05:30', '11-02T06:30'],
    ],
  ])('%s, %s from %s: each day once', (timezone, cron, from, to, expected) => {
    const template = waiting(`${from}T00:00:00Z`, { cron, timezone, misfire: 'all' });
    const first = dueOccurrences(
      { ...template, planned: { cron: '', timezone: '' } },
      new Date(`${from}T00:00Z`),
    );
    const { times } = dueAt(`${to}T00:00:00.000Z`, { ...template, nextExecution: first.next });
    expect(times.map((time) => time.slice(5, 16))).toEqual(expected);
  });
});
