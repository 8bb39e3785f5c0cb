import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTime, toMariadbTime, toPostgresTime, toSqliteTime } from '../../src/rows/times.js';

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

describe('Times', () => {
  test.each([
    ['2026-11-15 07:51:00.123+00:00', '2026-11-15T07:51:00.123Z'],
    ['2026-11-15 07:51:00.1234567+00:00', '2026-11-15T07:51:00.123Z'],
    ['2026-11-15 07:51:00.1+00:00', '2026-11-15T07:51:00.100Z'],
    ['2026-11-15 07:51:00+00:00', '2026-11-15T07:51:00.000Z'],
    ['2026-11-15 07:51:00', '2026-11-15T07:51:00.000Z'],
    ['2026-11-15 07:51:00.5', '2026-11-15T07:51:00.500Z'],
    ['2026-11-15 07:51', '2026-11-15T07:51:00.000Z'],
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T07:51:00Z', '2026-11-15T07:51:00.000Z'],
    ['2026-11-15T07:51:00.123456Z', '2026-11-15T07:51:00.123Z'],
    ['2026-11-15 08:51:00.123+01:00', '2026-11-15T07:51:00.123Z'],
    ['2026-11-15 02:21:00-05:30', '2026-11-15T07:51:00.000Z'],
    ['2026-11-15 08:51:00.12+01', '2026-11-15T07:51:00.120Z'],
    ['2026-11-15 07:51:00.12+00', '2026-11-15T07:51:00.120Z'],
    ['2026-11-15 07:51:00+00', '2026-11-15T07:51:00.000Z'],
    ['2026-11-15 07:51:00.123456', '2026-11-15T07:51:00.123Z'],
    ['0050-01-01 00:00:00.000+00:00', '0050-01-01T00:00:00.000Z'],
  ])('are read as others write them: %s', (text, expected) => {
    expect(parseTime(text)?.toISOString()).toBe(expected);
  });

  test.each(['', 'yesterday', '2026-11-15 07:51:00.123+00:0x', '15.11.2026', null, undefined])(
    'what is no time is none: %j',
    (text) => {
      expect(parseTime(text)).toBeUndefined();
    },
  );

  test.each([toSqliteTime, toPostgresTime, toMariadbTime])('come back as they were stored', (format) => {
    fc.assert(
      fc.property(fc.integer({ min: EARLIEST, max: LATEST }), (millis) => {
        expect(parseTime(format(new Date(millis)))?.getTime()).toBe(millis);
      }),
    );
  });

  test('sort as texts on SQLite', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: EARLIEST, max: LATEST }),
        fc.integer({ min: EARLIEST, max: LATEST }),
        (one, other) => {
          const [first, second] = [toSqliteTime(new Date(one)), toSqliteTime(new Date(other))];
          expect(first < second).toBe(one < other);
        },
      ),
    );
  });
});
