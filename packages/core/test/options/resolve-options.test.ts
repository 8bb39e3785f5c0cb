import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../../src/errors/input-errors.js';
import { resolveOptions } from '../../src/options/resolve-options.js';

const DAY = 86_400_000;

test('the defaults are those of the documentation', () => {
  const { schedulerInstanceId, ...others } = resolveOptions(undefined);
  expect(others).toEqual({
    collectionName: 'monque_jobs',
    pollInterval: 1_000,
    safetyPollInterval: 30_000,
    maxRetries: 10,
    baseRetryInterval: 1_000,
    maxBackoffDelay: DAY,
    retryJitter: 0,
    shutdownTimeout: 30_000,
    workerConcurrency: 5,
    instanceConcurrency: Number.POSITIVE_INFINITY,
    heartbeatInterval: 30_000,
    lockTimeout: 120_000,
    legacyLockTimeout: 1_800_000,
    recoverStaleJobs: true,
    skipIndexCreation: false,
    statsCacheTtlMs: 5_000,
    timezone: 'UTC',
  });
  expect(schedulerInstanceId).toMatch(/^[0-9a-f-]{36}$/);
  expect(resolveOptions({}).schedulerInstanceId).not.toBe(schedulerInstanceId);
});

test('given values are taken', () => {
  const given = {
    collectionName: 'my.jobs',
    pollInterval: 1,
    safetyPollInterval: 2,
    maxRetries: 3,
    baseRetryInterval: 0,
    maxBackoffDelay: 5,
    retryJitter: 1,
    shutdownTimeout: 0,
    workerConcurrency: 7,
    instanceConcurrency: 8,
    heartbeatInterval: 9,
    lockTimeout: 1_000,
    recoverStaleJobs: false,
    schedulerInstanceId: 'worker 1',
    jobRetention: { completed: 0, failed: 1, cancelled: 2, interval: 3 },
    skipIndexCreation: true,
    statsCacheTtlMs: 0,
    maxPayloadSize: 1,
    timezone: 'America/New_York',
  };
  expect(resolveOptions(given)).toEqual({ ...given, legacyLockTimeout: 1_000 });
});

test('undefined counts as absent', () => {
  const keys = [
    'maxRetries',
    'timezone',
    'jobRetention',
    'maxPayloadSize',
    'workerConcurrency',
    'lockTimeout',
  ];
  const { schedulerInstanceId: _, ...expected } = resolveOptions({});
  const resolved = resolveOptions(Object.fromEntries(keys.map((key) => [key, undefined])));
  expect(resolved).toMatchObject(expected);
  expect(resolved).not.toHaveProperty('jobRetention');
  expect(resolved).not.toHaveProperty('maxPayloadSize');
});

test('retention looks every hour unless told otherwise', () => {
  expect(resolveOptions({ jobRetention: { completed: DAY } }).jobRetention).toEqual({
    completed: DAY,
    interval: 3_600_000,
  });
});

test.each([0, 1])('maxRetries %i means one attempt', (maxRetries) => {
  expect(resolveOptions({ maxRetries }).maxRetries).toBe(1);
});

describe('two names of one option', () => {
  test('are the same option', () => {
    expect(resolveOptions({ defaultConcurrency: 3 }).workerConcurrency).toBe(3);
    expect(resolveOptions({ maxConcurrency: 4 }).instanceConcurrency).toBe(4);
    expect(resolveOptions({ workerConcurrency: 3, defaultConcurrency: 3 }).workerConcurrency).toBe(3);
  });

  test('may disagree: the newer one counts, and both are checked', () => {
    expect(resolveOptions({ workerConcurrency: 3, defaultConcurrency: 4 }).workerConcurrency).toBe(3);
    expect(resolveOptions({ instanceConcurrency: 3, maxConcurrency: 2 }).instanceConcurrency).toBe(3);
    expect(() => resolveOptions({ workerConcurrency: 3, defaultConcurrency: 0 })).toThrow(
      expect.objectContaining({ option: 'defaultConcurrency' }),
    );
    expect(() => resolveOptions({ instanceConcurrency: 0, maxConcurrency: 2 })).toThrow(
      expect.objectContaining({ option: 'instanceConcurrency' }),
    );
  });
});

describe('the heartbeat', () => {
  test.each([
    [{ lockTimeout: 3_000 }, 1_000],
    [{ lockTimeout: 10_000 }, 3_333],
    [{ lockTimeout: 10_000, heartbeatInterval: 2_000 }, 2_000],
    [{ lockTimeout: 10_000, heartbeatInterval: 9_000 }, 3_333],
    [{ heartbeatInterval: 100_000 }, 40_000],
    [{ lockTimeout: 1 }, 1],
  ])('of %o is %i ms', (options, expected) => {
    expect(resolveOptions(options).heartbeatInterval).toBe(expected);
  });
});

test('a lockTimeout that was set counts for claims without a token too', () => {
  expect(resolveOptions({ lockTimeout: 120_000 }).legacyLockTimeout).toBe(120_000);
});

test('waits without end are cut to a thousand years, so that dates stay dates', () => {
  const { lockTimeout, pollInterval } = resolveOptions({
    lockTimeout: Number.MAX_SAFE_INTEGER,
    pollInterval: Number.MAX_VALUE,
  });
  expect(new Date(Date.now() - lockTimeout).getFullYear()).toBeGreaterThan(0);
  expect(new Date(Date.now() + pollInterval).getFullYear()).toBeLessThan(9_999);
});

describe('a bad value is refused by name', () => {
  const intervals = ['pollInterval', 'safetyPollInterval', 'heartbeatInterval', 'lockTimeout'];
  const nonNegative = ['baseRetryInterval', 'maxBackoffDelay', 'shutdownTimeout', 'statsCacheTtlMs'];
  const concurrencies = ['workerConcurrency', 'defaultConcurrency', 'instanceConcurrency', 'maxConcurrency'];
  const numbers = [
    ...intervals,
    ...nonNegative,
    ...concurrencies,
    'maxRetries',
    'retryJitter',
    'maxPayloadSize',
  ];
  const noNumbers = [Number.NaN, -1, Number.POSITIVE_INFINITY, '5', null, true, {}, 5n];
  const cases: [string, unknown][] = [
    ...numbers.flatMap((option) => noNumbers.map((value): [string, unknown] => [option, value])),
    ...[...intervals, ...concurrencies, 'maxPayloadSize'].map((option): [string, unknown] => [option, 0]),
    ...[...concurrencies, 'maxRetries', 'maxPayloadSize'].map((option): [string, unknown] => [option, 1.5]),
    ['retryJitter', 1.01],
    ...['recoverStaleJobs', 'skipIndexCreation'].flatMap((option) =>
      [0, 'true', null].map((value): [string, unknown] => [option, value]),
    ),
    ...['', ' ', 5, null, 'a\0b', 'a$b', 'system.users', '.a', 'a.', 'x'.repeat(201)].map(
      (value): [string, unknown] => ['collectionName', value],
    ),
    ...['', ' ', 5, null, 'a\nb'].map((value): [string, unknown] => ['schedulerInstanceId', value]),
    ...['', 'Mars/Olympus', 5, null].map((value): [string, unknown] => ['timezone', value]),
    ['jobRetention', null],
    ['jobRetention', 5],
    ['jobRetention', []],
  ];

  test.each(cases)('%s: %o', (option, value) => {
    expect(() => resolveOptions({ [option]: value })).toThrow(InvalidOptionError);
    expect(() => resolveOptions({ [option]: value })).toThrow(expect.objectContaining({ option }));
    expect(() => resolveOptions({ [option]: value })).toThrow(option);
  });

  test('in retention, with the path', () => {
    for (const key of ['completed', 'failed', 'cancelled', 'interval']) {
      expect(() => resolveOptions({ jobRetention: { [key]: -1 } })).toThrow(
        expect.objectContaining({ option: `jobRetention.${key}` }),
      );
    }
    expect(() => resolveOptions({ jobRetention: { interval: 0 } })).toThrow(InvalidOptionError);
    expect(() => resolveOptions({ jobRetention: { days: 1 } })).toThrow(
      expect.objectContaining({ option: 'jobRetention.days' }),
    );
  });

  test('unknown keys and what is no object', () => {
    expect(() => resolveOptions({ pollIntervall: 5 })).toThrow(
      expect.objectContaining({ option: 'pollIntervall' }),
    );
    for (const options of [null, 5, 'x', [], true])
      expect(() => resolveOptions(options)).toThrow(InvalidOptionError);
  });

  test('and never by another error, whatever is given', () => {
    const keys = fc.constantFrom(
      'pollInterval',
      'timezone',
      'jobRetention',
      'collectionName',
      'maxRetries',
      'else',
    );
    const value = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });
    fc.assert(
      fc.property(keys, value, (key, given) => {
        try {
          resolveOptions({ [key]: given });
        } catch (error) {
          if (!(error instanceof InvalidOptionError)) throw error;
        }
      }),
    );
  });
});
