import { checkBackoff } from '../job/check-backoff.js';
import type { BackoffFunction, WorkerOptions } from '../job/handler.js';
import { checkAttempts, checkDuration, checkFlag, checkInteger, checkKeys } from './checks.js';

const KEYS = ['concurrency', 'replace', 'maxRetries', 'backoff', 'timeout'] as const;

/**
 * Accepts options of `register`, and answers a copy without absent values.
 *
 * @throws InvalidOptionError naming the option.
 */
export function checkWorkerOptions<Id = unknown>(options: unknown): WorkerOptions<unknown, Id> {
  const given = checkKeys(options, KEYS, 'worker options');
  return {
    ...(given.concurrency !== undefined && {
      concurrency: checkInteger(given.concurrency, 'concurrency', 1),
    }),
    ...(given.replace !== undefined && { replace: checkFlag(given.replace, 'replace') }),
    ...(given.maxRetries !== undefined && { maxRetries: checkAttempts(given.maxRetries, 'maxRetries') }),
    ...(given.backoff !== undefined && {
      backoff:
        typeof given.backoff === 'function'
          ? (given.backoff as BackoffFunction<unknown, Id>)
          : checkBackoff(given.backoff, 'backoff'),
    }),
    ...(given.timeout !== undefined && { timeout: checkDuration(given.timeout, 'timeout', 1) }),
  };
}
