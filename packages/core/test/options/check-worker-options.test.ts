import { expect, test } from 'vitest';
import { InvalidOptionError } from '../../src/errors/input-errors.js';
import { checkWorkerOptions } from '../../src/options/check-worker-options.js';

test('good options come back as they are', () => {
  expect(checkWorkerOptions(undefined)).toEqual({});
  expect(Object.keys(checkWorkerOptions({ concurrency: undefined, backoff: undefined }))).toEqual([]);
  const given = {
    concurrency: 3,
    replace: true,
    maxRetries: 2,
    backoff: { type: 'fixed', delay: 5 },
    timeout: 100,
  };
  expect(checkWorkerOptions(given)).toEqual(given);
  const backoff = () => 5;
  expect(checkWorkerOptions({ backoff }).backoff).toBe(backoff);
  expect(checkWorkerOptions({ maxRetries: 0 }).maxRetries).toBe(1);
});

test.each<[string, unknown]>([
  ['concurrency', { concurrency: 0 }],
  ['concurrency', { concurrency: 1.5 }],
  ['concurrency', { concurrency: Number.POSITIVE_INFINITY }],
  ['replace', { replace: 'yes' }],
  ['maxRetries', { maxRetries: -1 }],
  ['backoff', { backoff: 5 }],
  ['backoff.foo', { backoff: { type: 'fixed', foo: 1 } }],
  ['backoff.type', { backoff: { type: 'random' } }],
  ['timeout', { timeout: 0 }],
  ['priority', { priority: 1 }],
  ['worker options', null],
  ['worker options', 5],
])('a bad %s is refused: %o', (option, options) => {
  expect(() => checkWorkerOptions(options)).toThrow(InvalidOptionError);
  expect(() => checkWorkerOptions(options)).toThrow(expect.objectContaining({ option }));
});
