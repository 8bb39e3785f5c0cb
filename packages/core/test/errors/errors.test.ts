import { describe, expect, test } from 'vitest';
import * as input from '../../src/errors/input-errors.js';
import { MonqueError } from '../../src/errors/monque-error.js';
import * as operation from '../../src/errors/operation-errors.js';
import * as state from '../../src/errors/state-errors.js';
import { CancelRun, PermanentError, RetryAfter } from '../../src/errors/steering.js';
import type { Job } from '../../src/job/job.js';

const job: Job = {
  name: 'a',
  data: {},
  status: 'processing',
  nextRunAt: new Date(),
  failCount: 0,
  createdAt: new Date(),
  updatedAt: new Date(),
};

/** Each error as the contract makes it, its name, its code and the properties it must have. */
const ERRORS: [error: MonqueError, name: string, code: string, properties: Record<string, unknown>][] = [
  [new MonqueError('m'), 'MonqueError', 'MONQUE_MONQUE', {}],
  [new input.InvalidCronError('* *', 'm'), 'InvalidCronError', 'MONQUE_INVALID_CRON', { expression: '* *' }],
  [
    new input.InvalidJobIdentifierError('uniqueKey', ' ', 'm'),
    'InvalidJobIdentifierError',
    'MONQUE_INVALID_JOB_IDENTIFIER',
    { field: 'uniqueKey', value: ' ' },
  ],
  [
    new input.InvalidOptionError('delay', 'm'),
    'InvalidOptionError',
    'MONQUE_INVALID_OPTION',
    { option: 'delay' },
  ],
  [new input.InvalidCursorError('m'), 'InvalidCursorError', 'MONQUE_INVALID_CURSOR', {}],
  [new input.InvalidSelectorError('m'), 'InvalidSelectorError', 'MONQUE_INVALID_SELECTOR', {}],
  [
    new input.InvalidPayloadError('m', [{ message: 'is a function', path: 'data.a' }]),
    'InvalidPayloadError',
    'MONQUE_INVALID_PAYLOAD',
    { issues: [{ message: 'is a function', path: 'data.a' }] },
  ],
  [
    new input.PayloadTooLargeError('m', 11, 10),
    'PayloadTooLargeError',
    'MONQUE_PAYLOAD_TOO_LARGE',
    { actualSize: 11, maxSize: 10 },
  ],
  [
    new input.WorkerRegistrationError('m', 'mail'),
    'WorkerRegistrationError',
    'MONQUE_WORKER_REGISTRATION',
    { jobName: 'mail' },
  ],
  [
    new state.JobStateError('m', '42', 'completed', 'cancel'),
    'JobStateError',
    'MONQUE_JOB_STATE',
    { jobId: '42', currentStatus: 'completed', attemptedAction: 'cancel' },
  ],
  [new state.DuplicateJobError('m', '42'), 'DuplicateJobError', 'MONQUE_DUPLICATE_JOB', { existingId: '42' }],
  [new operation.ConnectionError('m'), 'ConnectionError', 'MONQUE_CONNECTION', {}],
  [
    new operation.ShutdownTimeoutError('m', [job]),
    'ShutdownTimeoutError',
    'MONQUE_SHUTDOWN_TIMEOUT',
    { incompleteJobs: [job] },
  ],
  [new operation.AggregationTimeoutError('m'), 'AggregationTimeoutError', 'MONQUE_AGGREGATION_TIMEOUT', {}],
  [new operation.JobTimeoutError('m', 50), 'JobTimeoutError', 'MONQUE_JOB_TIMEOUT', { timeout: 50 }],
  [new operation.WaitTimeoutError('m', '42'), 'WaitTimeoutError', 'MONQUE_WAIT_TIMEOUT', { jobId: '42' }],
  [new operation.WatchUnsupportedError('m'), 'WatchUnsupportedError', 'MONQUE_WATCH_UNSUPPORTED', {}],
  [new operation.RunAbortedError('m', 'taken'), 'RunAbortedError', 'MONQUE_RUN_ABORTED', { reason: 'taken' }],
  [new PermanentError('m'), 'PermanentError', 'MONQUE_PERMANENT', {}],
  [new CancelRun('m'), 'CancelRun', 'MONQUE_CANCEL_RUN', { reason: 'm' }],
  [new RetryAfter(5), 'RetryAfter', 'MONQUE_RETRY_AFTER', {}],
];

describe('every error', () => {
  test.each(ERRORS)('%s has its name, its code and its properties', (error, name, code, properties) => {
    expect(error).toBeInstanceOf(MonqueError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
    expect(error.constructor.name).toBe(name);
    expect(error.code).toBe(code);
    expect(error).toMatchObject(properties);
    expect(error.stack).toMatch(new RegExp(`^${name}: `));
  });

  test.each(ERRORS)('%s says its name even where a minifier renamed its class', (error, name) => {
    const Renamed = { a: class extends (error.constructor as typeof MonqueError) {} }.a;
    expect(Renamed.name).toBe('a');
    expect(Renamed.prototype.name).toBe(name);
  });

  test('keeps the message', () => {
    for (const [error, name] of ERRORS) if (name !== 'RetryAfter') expect(error.message).toBe('m');
  });

  test('has a cause only where one was given', () => {
    const cause = new Error('driver');
    expect(new operation.ConnectionError('m', { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new operation.ConnectionError('m'), 'cause')).toBe(false);
    expect(Object.hasOwn(new operation.ConnectionError('m', {}), 'cause')).toBe(false);
    expect(new input.InvalidCronError('x', 'm', { cause }).cause).toBe(cause);
    expect(new operation.WatchUnsupportedError('m', { cause }).cause).toBe(cause);
    expect(new PermanentError('m', { cause }).cause).toBe(cause);
  });
});

test('an aggregation timeout has a default message that names the limit', () => {
  expect(new operation.AggregationTimeoutError().message).toContain('exceeded 30 second timeout');
});
