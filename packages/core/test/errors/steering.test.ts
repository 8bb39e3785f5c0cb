import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../../src/errors/input-errors.js';
import {
  CancelRun,
  isCancelRun,
  isPermanent,
  isRetryAfter,
  PermanentError,
  RetryAfter,
} from '../../src/errors/steering.js';

const now = new Date('2026-03-01T12:00:00.000Z');

describe('RetryAfter', () => {
  test('counts milliseconds from the time that it is told', () => {
    expect(new RetryAfter(1_500).until(now)).toEqual(new Date('2026-03-01T12:00:01.500Z'));
    expect(new RetryAfter(0).until(now)).toEqual(now);
  });

  test('takes a point in time as it is, and keeps it when the given date changes', () => {
    const when = new Date('2030-01-01T00:00:00.000Z');
    const error = new RetryAfter(when);
    when.setFullYear(1999);
    expect(error.until(now)).toEqual(new Date('2030-01-01T00:00:00.000Z'));
    error.until(now).setFullYear(1999);
    expect(error.until(now)).toEqual(new Date('2030-01-01T00:00:00.000Z'));
  });

  test('stays within the calendar', () => {
    const late = new Date('9999-12-31T00:00:00.000Z');
    expect(new RetryAfter(1e15).until(late)).toEqual(new Date('9999-12-31T23:59:59.999Z'));
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined, new Date('never')])(
    'refuses %s where it is made',
    (value) => {
      expect(() => new RetryAfter(value as number)).toThrow(InvalidOptionError);
    },
  );
});

test('a cancelled run has a reason only where one was given', () => {
  expect(new CancelRun('no longer needed').reason).toBe('no longer needed');
  expect(Object.hasOwn(new CancelRun(), 'reason')).toBe(false);
  expect(new CancelRun().message).not.toBe('');
});

describe('what a handler threw is recognised', () => {
  test('by its class and by its code alone, as from another copy of the package', () => {
    expect(isPermanent(new PermanentError('m'))).toBe(true);
    expect(isCancelRun(new CancelRun())).toBe(true);
    expect(isRetryAfter(new RetryAfter(1))).toBe(true);
    expect(isPermanent({ code: 'MONQUE_PERMANENT' })).toBe(true);
    expect(isCancelRun({ code: 'MONQUE_CANCEL_RUN' })).toBe(true);
    expect(isRetryAfter({ code: 'MONQUE_RETRY_AFTER', until: () => now })).toBe(true);
  });

  test('in classes that users derive', () => {
    class CardExpired extends PermanentError {}
    expect(isPermanent(new CardExpired('m'))).toBe(true);
  });

  test('and nothing else is', () => {
    const hostile = {
      get code() {
        throw new Error('mine');
      },
    };
    for (const thrown of [undefined, null, 'MONQUE_PERMANENT', 5, new Error('m'), hostile]) {
      expect([isPermanent(thrown), isCancelRun(thrown), isRetryAfter(thrown)]).toEqual([false, false, false]);
    }
    expect(isRetryAfter({ code: 'MONQUE_RETRY_AFTER' })).toBe(false);
  });
});
