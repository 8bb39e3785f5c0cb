import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidCronError, InvalidOptionError } from '../../src/errors/input-errors.js';
import { getNextCronDate, validateCronExpression } from '../../src/job/cron.js';
import { times } from './cron-times.js';

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
