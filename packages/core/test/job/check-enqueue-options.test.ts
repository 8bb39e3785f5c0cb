import { describe, expect, test } from 'vitest';
import { InvalidJobIdentifierError, InvalidOptionError } from '../../src/errors/input-errors.js';
import { checkEnqueueOptions } from '../../src/job/check-enqueue-options.js';

const DEFAULTS = { hold: false, onDuplicate: 'keep' };
const runAt = new Date('2030-01-01T00:00:00.000Z');

test('nothing given means the defaults, and absent stays absent', () => {
  for (const kind of ['enqueue', 'schedule'] as const) {
    expect(checkEnqueueOptions(undefined, kind)).toEqual(DEFAULTS);
    expect(checkEnqueueOptions({}, kind)).toEqual(DEFAULTS);
    const undefinedOptions = {
      runAt: undefined,
      uniqueKey: undefined,
      priority: undefined,
      backoff: undefined,
    };
    expect(Object.keys(checkEnqueueOptions(undefinedOptions, kind))).toEqual(['hold', 'onDuplicate']);
  }
});

test('good options come back as they are', () => {
  const session = Object.freeze({ id: 1 });
  const shared = {
    runAt,
    uniqueKey: 'user-1',
    priority: -3,
    maxRetries: 4,
    backoff: { type: 'linear', delay: 5, maxDelay: 50, jitter: 0.5 },
    timeout: 100,
  };
  const given = { ...shared, hold: true, onDuplicate: 'reject', session };
  expect(checkEnqueueOptions(given, 'enqueue')).toEqual(given);
  expect(checkEnqueueOptions(given, 'enqueue').session).toBe(session);
  expect(checkEnqueueOptions({ delay: 0 }, 'enqueue')).toEqual({ ...DEFAULTS, delay: 0 });
  const scheduled = { ...shared, timezone: 'Europe/Berlin' };
  expect(checkEnqueueOptions(scheduled, 'schedule')).toEqual({ ...DEFAULTS, ...scheduled });
});

test('dates and backoff are copies', () => {
  const date = new Date(runAt);
  const backoff = { type: 'fixed', delay: 5 };
  const checked = checkEnqueueOptions({ runAt: date, backoff }, 'enqueue');
  date.setFullYear(1999);
  backoff.delay = 99;
  expect(checked).toMatchObject({ runAt, backoff: { type: 'fixed', delay: 5 } });
});

test('maxRetries 0 means one attempt', () => {
  expect(checkEnqueueOptions({ maxRetries: 0 }, 'enqueue').maxRetries).toBe(1);
});

describe('a bad option is refused by name', () => {
  test.each<[string, Record<string, unknown>]>([
    ['runAt', { runAt: new Date('never') }],
    ['runAt', { runAt: new Date(8.64e15) }],
    ['runAt', { runAt: '2030-01-01' }],
    ['runAt', { runAt: 5 }],
    ['runAt', { runAt: null }],
    ['delay', { delay: -1 }],
    ['delay', { delay: Number.NaN }],
    ['delay', { delay: Number.POSITIVE_INFINITY }],
    ['delay', { delay: 1e15 }],
    ['delay', { delay: '5' }],
    ['delay', { delay: 5, runAt }],
    ['priority', { priority: 1.5 }],
    ['priority', { priority: Number.NaN }],
    ['priority', { priority: 2 ** 31 }],
    ['priority', { priority: 5n }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxRetries', { maxRetries: 2.5 }],
    ['maxRetries', { maxRetries: Number.POSITIVE_INFINITY }],
    ['backoff', { backoff: null }],
    ['backoff', { backoff: 'fixed' }],
    ['backoff', { backoff: () => 5 }],
    ['backoff.type', { backoff: {} }],
    ['backoff.type', { backoff: { type: 'quadratic' } }],
    ['backoff.delay', { backoff: { type: 'fixed', delay: Number.NaN } }],
    ['backoff.maxDelay', { backoff: { type: 'fixed', maxDelay: -5 } }],
    ['backoff.jitter', { backoff: { type: 'fixed', jitter: 1.1 } }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -5 }],
    ['timeout', { timeout: Number.POSITIVE_INFINITY }],
    ['hold', { hold: 1 }],
    ['onDuplicate', { onDuplicate: 'ignore' }],
    ['onDuplicate', { onDuplicate: null }],
    ['timezone', { timezone: 'UTC' }],
    ['repeat', { repeat: true }],
    ['enqueue options', [] as never],
    ['enqueue options', 5 as never],
    ['enqueue options', null as never],
  ])('%s: %o', (option, options) => {
    expect(() => checkEnqueueOptions(options, 'enqueue')).toThrow(InvalidOptionError);
    expect(() => checkEnqueueOptions(options, 'enqueue')).toThrow(expect.objectContaining({ option }));
  });

  test.each<[string, Record<string, unknown>]>([
    ['delay', { delay: 5 }],
    ['hold', { hold: true }],
    ['session', { session: {} }],
    ['onDuplicate', { onDuplicate: 'keep' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: 5 }],
  ])('of a schedule, %s: %o', (option, options) => {
    expect(() => checkEnqueueOptions(options, 'schedule')).toThrow(expect.objectContaining({ option }));
  });

  test.each(['', '  ', 'a\0b', 'x'.repeat(1_025), 5, null, { $ne: null }])('uniqueKey %o', (uniqueKey) => {
    expect(() => checkEnqueueOptions({ uniqueKey }, 'enqueue')).toThrow(InvalidJobIdentifierError);
  });
});
