import { describe, expect, test } from 'vitest';
import { getNextCronDate } from '../../src/job/cron.js';
import { times } from './cron-times.js';

describe('a daylight-saving change', () => {
  // Sunday of the change, the instant at which clocks jump, and the first of both passes of the repeated hour.
  const BERLIN = [
    ['2024', '2024-03-31T01:00', '2024-10-27T00:30'],
    ['2025', '2025-03-30T01:00', '2025-10-26T00:30'],
    ['2026', '2026-03-29T01:00', '2026-10-25T00:30'],
    ['2027', '2027-03-28T01:00', '2027-10-31T00:30'],
  ] as const;
  const NEW_YORK = [
    ['2024', '2024-03-10T07:00', '2024-11-03T05:30'],
    ['2025', '2025-03-09T07:00', '2025-11-02T05:30'],
    ['2026', '2026-03-08T07:00', '2026-11-01T05:30'],
    ['2027', '2027-03-14T07:00', '2027-11-07T05:30'],
  ] as const;
  const CHANGES = [
    ...BERLIN.map(([year, jump, repeated]) => ['Europe/Berlin', year, '30 2 * * *', jump, repeated] as const),
    // In New York, 2:30 is skipped and 1:30 is repeated.
    ...NEW_YORK.map(
      ([year, jump, repeated]) => ['America/New_York', year, '30 2 * * *', jump, repeated] as const,
    ),
  ];

  test.each(CHANGES)(
    'in %s %s skips no day: a skipped time fires when clocks have jumped',
    (zone, _, expression, jump) => {
      const eve = new Date(`${jump}:00Z`);
      eve.setUTCHours(eve.getUTCHours() - 12);
      const [first, second] = times(expression, eve.toISOString(), 2, zone);
      expect(first).toBe(jump);
      expect(second?.slice(0, 10)).toBe(
        new Date(Date.parse(`${jump}Z`) + 86_400_000).toISOString().slice(0, 10),
      );
    },
  );

  test.each(CHANGES)('in %s %s fires a repeated time once, the first time', (zone, _, __, ___, repeated) => {
    const eve = new Date(Date.parse(`${repeated}Z`) - 12 * 3_600_000).toISOString();
    const expression = zone === 'Europe/Berlin' ? '30 2 * * *' : '30 1 * * *';
    const [first, second] = times(expression, eve, 2, zone);
    expect(first).toBe(repeated);
    // The next day is an hour longer away: the second pass is not another occurrence.
    expect(Date.parse(`${second}Z`) - Date.parse(`${first}Z`)).toBe(25 * 3_600_000);
    const inSecondPass = new Date(Date.parse(`${repeated}Z`) + 3_600_000 - 1).toISOString();
    expect(times(expression, inSecondPass, 1, zone)).toEqual([second]);
  });

  test('fires each of several times of day once', () => {
    expect(times('30 1,2,3 * * *', '2026-10-24T22:00:00Z', 4, 'Europe/Berlin')).toEqual([
      '2026-10-24T23:30',
      '2026-10-25T00:30',
      '2026-10-25T02:30',
      '2026-10-26T00:30',
    ]);
    expect(times('30 1,2,3 * * *', '2026-03-28T23:00:00Z', 4, 'Europe/Berlin')).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
      '2026-03-29T23:30',
    ]);
  });

  test('gathers all skipped times into one', () => {
    expect(times('*/10 2 * * *', '2026-03-28T23:00:00Z', 2, 'Europe/Berlin')).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
    ]);
  });

  test('leaves what fires in every hour to real time', () => {
    expect(times('0 * * * *', '2026-10-24T23:30:00Z', 4, 'Europe/Berlin')).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ]);
    expect(times('*/30 0-23 * * *', '2026-03-29T00:15:00Z', 3, 'Europe/Berlin')).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ]);
  });

  test('of half an hour, or of a whole day, is as good as any', () => {
    // Lord Howe Island moves its clocks by 30 minutes, and Samoa left out 30 December 2011.
    expect(times('15 2 * * *', '2026-10-02T16:00:00Z', 2, 'Australia/Lord_Howe')).toEqual([
      '2026-10-03T15:30',
      '2026-10-04T15:15',
    ]);
    expect(times('0 12 * * *', '2011-12-29T12:00:00Z', 3, 'Pacific/Apia')).toEqual([
      '2011-12-29T22:00',
      '2011-12-30T10:00',
      '2011-12-30T22:00',
    ]);
    expect(times('30 23 * * *', '2011-12-29T12:00:00Z', 3, 'Pacific/Apia')).toEqual([
      '2011-12-30T09:30',
      '2011-12-30T10:00',
      '2011-12-31T09:30',
    ]);
  });

  test('loses no day in any of ten years, and adds none', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Africa/Cairo']) {
      for (const expression of ['0 0 * * *', '30 1 * * *', '30 2 * * *']) {
        let last = new Date('2020-01-01T12:00:00Z');
        const end = new Date('2030-01-01T12:00:00Z');
        let count = 0;
        while (last < end) {
          const next = getNextCronDate(expression, last, zone);
          if (count > 0)
            expect(Math.abs(next.getTime() - last.getTime() - 86_400_000)).toBeLessThanOrEqual(3_600_000);
          last = next;
          count += 1;
        }
        expect(count).toBe(3_654);
      }
    }
  });
});
