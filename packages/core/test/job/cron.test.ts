import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidCronError, InvalidOptionError } from '../../src/errors/input-errors.js';
import { getNextCronDate, validateCronExpression } from '../../src/job/cron.js';

/** The next times of an expression, as ISO texts without seconds. */
function times(expression: string, from: string, count: number, timezone?: string): string[] {
  const found: string[] = [];
  let last = new Date(from);
  while (found.length < count) {
    last = getNextCronDate(expression, last, timezone);
    found.push(last.toISOString().slice(0, 16));
  }
  return found;
}

function refusal(expression: unknown): InvalidCronError {
  try {
    validateCronExpression(expression as string);
  } catch (error) {
    if (error instanceof InvalidCronError) return error;
    throw error;
  }
  throw new Error(`${String(expression)} was accepted`);
}

describe('getNextCronDate', () => {
  test('answers the next time, strictly after the given one', () => {
    const noon = new Date('2026-01-01T12:00:00.000Z');
    expect(getNextCronDate('0 12 * * *', noon)).toEqual(new Date('2026-01-02T12:00:00.000Z'));
    expect(getNextCronDate('0 12 * * *', new Date(noon.getTime() - 1))).toEqual(noon);
    expect(getNextCronDate('0 12 * * *', new Date(noon.getTime() + 1))).toEqual(
      new Date('2026-01-02T12:00:00.000Z'),
    );
  });

  test('counts from now in UTC unless told otherwise', () => {
    const next = getNextCronDate('* * * * *').getTime();
    expect(next).toBeGreaterThan(Date.now() - 1_000);
    expect(next).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(times('0 0 * * *', '2026-07-01T12:00:00Z', 1)).toEqual(['2026-07-02T00:00']);
  });

  test.each([
    ['@yearly', '2027-01-01T00:00'],
    ['@annually', '2027-01-01T00:00'],
    ['@monthly', '2026-02-01T00:00'],
    ['@weekly', '2026-01-04T00:00'],
    ['@daily', '2026-01-02T00:00'],
    ['@midnight', '2026-01-02T00:00'],
    ['@hourly', '2026-01-01T01:00'],
  ])('knows %s', (name, expected) => {
    expect(times(name, '2026-01-01T00:00:00Z', 1)).toEqual([expected]);
  });

  test.each([
    ['*/15 * * * *', ['2026-01-01T00:15', '2026-01-01T00:30']],
    ['5,10 0 * * *', ['2026-01-01T00:05', '2026-01-01T00:10']],
    ['0 9-17/4 * * *', ['2026-01-01T09:00', '2026-01-01T13:00']],
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 31 * *', ['2026-01-31T00:00', '2026-03-31T00:00']],
    ['0 0 1 JAN,jul *', ['2026-07-01T00:00', '2027-01-01T00:00']],
    ['0 0 * * SUN', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['0 0 * * 7', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['0 0 * * sat-sun', ['2026-01-03T00:00', '2026-01-04T00:00']],
    ['0 0 * * 5-7', ['2026-01-02T00:00', '2026-01-03T00:00']],
    ['  0\t0  1 1   * ', ['2027-01-01T00:00', '2028-01-01T00:00']],
  ])('reads %j', (expression, expected) => {
    expect(times(expression, '2026-01-01T00:00:00Z', 2)).toEqual(expected);
  });

  test('takes day-of-month or day-of-week where both are restricted', () => {
    expect(times('0 0 13 * FRI', '2026-02-01T00:00:00Z', 5)).toEqual([
      '2026-02-06T00:00',
      '2026-02-13T00:00',
      '2026-02-20T00:00',
      '2026-02-27T00:00',
      '2026-03-06T00:00',
    ]);
    expect(times('0 0 31 2 MON', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-02-02T00:00']);
  });

  test('crosses the eight years without a leap day around 2100', () => {
    expect(times('0 0 29 2 *', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T00:00']);
  });

  test('is strictly after any date, on a whole minute, and without a time in between', () => {
    const expressions = fc.constantFrom(
      '* * * * *',
      '*/7 */5 * * *',
      '30 2 * * *',
      '0 0 1,15 * 1',
      '59 23 31 12 *',
    );
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    );
    const dates = fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(expressions, dates, zones, (expression, from, zone) => {
        const next = getNextCronDate(expression, from, zone);
        expect(next.getTime()).toBeGreaterThan(from.getTime());
        expect(next.getTime() % 60_000).toBe(0);
        // Asking again from anywhere before that time gives the same time.
        const between = new Date(from.getTime() + Math.floor((next.getTime() - from.getTime()) / 2));
        expect(getNextCronDate(expression, between, zone)).toEqual(next);
        expect(getNextCronDate(expression, new Date(next.getTime() - 1), zone)).toEqual(next);
      }),
      { numRuns: 300 },
    );
  });
});

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

describe('an expression is refused', () => {
  test.each([
    '',
    '   ',
    '*',
    '* * * *',
    '* * * * * *',
    '0 * * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
    '* * * 13 *',
    '* * * * 8',
    '-1 * * * *',
    '5-1 * * * *',
    '*/0 * * * *',
    '1,,2 * * * *',
    ',1 * * * *',
    '5/5 * * * *',
    '1.5 * * * *',
    'a * * * *',
    '* * * FOO *',
    '* * * * JAN',
    '* * * MON *',
    '0 0 L * *',
    '0 0 15W * *',
    '0 0 * * 5#2',
    '0 0 * * 5L',
    '0 0 ? * *',
    '0 0 1 * +MON',
    'H * * * *',
    '@reboot',
    '@every 5m',
    '@Daily',
    '@toString',
    '@daily 5',
    '2030-01-23T00:00:00',
    '0 0 30 2 *',
    '0 0 31 2 *',
    '0 0 31 4,6,9,11 *',
    '0 0 30-31 FEB *',
    `${'1,'.repeat(10_000)}1 * * * *`,
    undefined,
    null,
    5,
    {},
    [],
    ['* * * * *'],
    new Date(),
  ])('when it is %j', (expression) => {
    const error = refusal(expression);
    expect(error.message).toContain('Invalid cron expression "');
    expect(error.message).toContain('minute hour day-of-month month day-of-week');
    expect(error.message).toContain('predefined expression');
    expect(error.message).toContain('Example:');
    expect(() => getNextCronDate(expression as string)).toThrow(InvalidCronError);
    if (typeof expression === 'string') {
      expect(error.expression).toBe(expression);
      if (expression.length < 100) expect(error.message).toContain(`"${expression}"`);
    }
  });

  test('by nothing but its own error, whatever the text', () => {
    const piece = fc.constantFrom(
      '*',
      '*/5',
      '1',
      '0-5',
      'MON',
      'L',
      '?',
      '@daily',
      '99',
      '',
      ',',
      '-',
      '/',
      '\0',
      '7',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 7 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (expression) => {
        try {
          expect(getNextCronDate(expression)).toBeInstanceOf(Date);
        } catch (error) {
          if (!(error instanceof InvalidCronError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('an unknown time zone is an invalid option', () => {
  for (const zone of ['Mars/Olympus', '', 'berlin', 5, null, {}]) {
    const attempts = [
      () => validateCronExpression('* * * * *', zone as string),
      () => getNextCronDate('* * * * *', new Date(), zone as string),
    ];
    for (const attempt of attempts) {
      expect(attempt).toThrow(InvalidOptionError);
      expect(attempt).toThrow(expect.objectContaining({ option: 'timezone' }));
    }
  }
});

test('an invalid starting date is an invalid option', () => {
  for (const from of [new Date('never'), 'yesterday', 5, null]) {
    expect(() => getNextCronDate('* * * * *', from as Date)).toThrow(InvalidOptionError);
  }
});

test('more expressions than are remembered work as well', () => {
  for (let round = 0; round < 2; round++) {
    for (let minute = 0; minute < 60; minute++) {
      for (let hour = 0; hour < 24; hour++) {
        const next = getNextCronDate(`${minute} ${hour} * * *`, new Date('2026-01-01T00:00:00Z'));
        expect([next.getUTCMinutes(), next.getUTCHours()]).toEqual([minute, hour]);
      }
    }
  }
});
