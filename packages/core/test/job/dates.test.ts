import vm from 'node:vm';
import { expect, test } from 'vitest';
import { InvalidOptionError } from '../../src/errors/input-errors.js';
import { checkDate } from '../../src/job/dates.js';

test('a date is answered as a copy', () => {
  const given = new Date('2026-01-01T00:00:00.123Z');
  const checked = checkDate(given, 'runAt');
  given.setFullYear(1999);
  expect(checked).toEqual(new Date('2026-01-01T00:00:00.123Z'));
});

test('a date of another realm is a date', () => {
  const foreign: unknown = vm.runInNewContext('new Date(5)');
  expect(foreign).not.toBeInstanceOf(Date);
  expect(checkDate(foreign, 'runAt')).toEqual(new Date(5));
  expect(checkDate(foreign, 'runAt')).toBeInstanceOf(Date);
});

test.each(['0001-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
  '%s fits every store',
  (text) => {
    expect(checkDate(new Date(text), 'runAt').toISOString()).toBe(text);
  },
);

test.each([
  new Date(Number.NaN),
  new Date('0000-12-31T23:59:59.999Z'),
  new Date('+010000-01-01T00:00:00.000Z'),
  new Date(8.64e15),
  new Date(-8.64e15),
  Object.create(Date.prototype),
  { getTime: () => 5 },
  '2026-01-01',
  Date.now(),
  null,
  undefined,
])('%o is refused, and the error names the option', (value) => {
  expect(() => checkDate(value, 'runAt')).toThrow(InvalidOptionError);
  expect(() => checkDate(value, 'runAt')).toThrow(expect.objectContaining({ option: 'runAt' }));
  expect(() => checkDate(value, 'runAt')).toThrow(/"runAt"/);
});
