import { InvalidOptionError } from '../errors/input-errors.js';
import { describeValue } from '../job/describe-value.js';
import { ownValues } from '../job/own-values.js';

/** A thousand years: longer waits are cut to it, so that adding one to a date always gives a date. */
const LONGEST_DURATION = 1_000 * 365.25 * 86_400_000;

/** The largest count that every store can hold. */
export const LARGEST_INTEGER = 2_147_483_647;

/**
 * Options as a record, none of them unknown.
 *
 * @param option - What they are called in messages.
 * @param path - What stands before the name of an unknown one in its error.
 */
export function checkKeys<Key extends string>(
  options: unknown,
  known: readonly Key[],
  option: string,
  path = '',
): Readonly<Partial<Record<Key, unknown>>> {
  if (options === undefined) return Object.freeze({}) as Readonly<Partial<Record<Key, unknown>>>;
  const given = typeof options === 'object' && options !== null ? ownValues(options) : undefined;
  if (given === undefined || Array.isArray(options)) {
    throw new InvalidOptionError(
      option,
      `The ${option} must be an object that can be read, not ${describeValue(options)}`,
    );
  }
  for (const key of Object.keys(given)) {
    if ((known as readonly string[]).includes(key)) continue;
    throw new InvalidOptionError(
      `${path}${key}`,
      `Unknown option "${key}" in the ${option}. Known are: ${known.join(', ')}`,
    );
  }
  return given as Readonly<Partial<Record<Key, unknown>>>;
}

/** A whole number within bounds. */
export function checkInteger(value: unknown, option: string, min: number, max = LARGEST_INTEGER): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be a whole number from ${min} to ${max}, not ${describeValue(value)}`,
  );
}

/** Attempts that a job may use. None makes no sense, so 0 means 1: the first failure is final. */
export function checkAttempts(value: unknown, option: string): number {
  return Math.max(1, checkInteger(value, option, 0));
}

/** A time in milliseconds, rounded up to whole ones. */
export function checkDuration(value: unknown, option: string, min = 0): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= min) {
    return Math.min(Math.ceil(value), LONGEST_DURATION);
  }
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be a number of milliseconds, at least ${min}, not ${describeValue(value)}`,
  );
}

/** A share, 0 to 1. */
export function checkShare(value: unknown, option: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be a number from 0 to 1, not ${describeValue(value)}`,
  );
}

/** True or false. */
export function checkFlag(value: unknown, option: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be true or false, not ${describeValue(value)}`,
  );
}

/** One of some words. */
export function checkChoice<Word extends string>(
  value: unknown,
  option: string,
  words: readonly Word[],
): Word {
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be one of ${words.map((each) => `"${each}"`).join(', ')}, not ${describeValue(value)}`,
  );
}

/** Text that names something: not blank, not overlong, without control characters. */
export function checkText(value: unknown, option: string, maxLength: number): string {
  const fits = typeof value === 'string' && value.trim() !== '' && value.length <= maxLength;
  if (fits && !/\p{Cc}/u.test(value)) return value;
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be a text of 1 to ${maxLength} characters without control characters, not ${describeValue(value)}`,
  );
}
