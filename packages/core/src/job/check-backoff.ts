import { InvalidOptionError } from '../errors/input-errors.js';
import { checkChoice, checkDuration, checkKeys, checkShare } from '../options/checks.js';
import type { BackoffOptions } from './backoff-options.js';

const KEYS = ['type', 'delay', 'maxDelay', 'jitter'] as const;
const TYPES = ['exponential', 'linear', 'fixed'] as const;

/**
 * Accepts delays between attempts, and answers a copy without absent values.
 *
 * @throws InvalidOptionError naming the option, with its path.
 */
export function checkBackoff(value: unknown, option: string): BackoffOptions {
  if (value === undefined) {
    throw new InvalidOptionError(option, `Option "${option}" must be an object, not undefined`);
  }
  const given = checkKeys(value, KEYS, option, `${option}.`);
  const backoff: BackoffOptions = { type: checkChoice(given.type, `${option}.type`, TYPES) };
  if (given.delay !== undefined) backoff.delay = checkDuration(given.delay, `${option}.delay`);
  if (given.maxDelay !== undefined) backoff.maxDelay = checkDuration(given.maxDelay, `${option}.maxDelay`);
  if (given.jitter !== undefined) backoff.jitter = checkShare(given.jitter, `${option}.jitter`);
  return backoff;
}
