import { types } from 'node:util';
import { InvalidSelectorError } from '../errors/input-errors.js';
import { describeValue } from '../job/describe-value.js';
import { isValidJobStatus } from '../job/guards.js';
import { ownValues } from '../job/own-values.js';
import type { JobStatus } from '../job/status.js';

/**
 * What a caller asks for, as a record of known keys. Whatever is not a plain description of jobs is refused: an
 * unread Map or an un-awaited Promise would otherwise pass for an empty selector, which means all jobs.
 */
export function readQuery<Key extends string>(
  value: unknown,
  what: string,
  known: readonly Key[],
): Readonly<Partial<Record<Key, unknown>>> {
  const given = isPlain(value) ? ownValues(value) : undefined;
  if (given === undefined) {
    throw new InvalidSelectorError(`The ${what} must be a plain object, not ${describeValue(value)}`);
  }
  for (const key of Object.keys(given)) {
    if ((known as readonly string[]).includes(key)) continue;
    throw new InvalidSelectorError(`Unknown key "${key}" in the ${what}. Known are: ${known.join(', ')}`);
  }
  return given as Readonly<Partial<Record<Key, unknown>>>;
}

function isPlain(value: unknown): value is object {
  try {
    return Object.prototype.toString.call(value) === '[object Object]';
  } catch {
    // It has a say in what it is called, and refuses.
    return false;
  }
}

/** A name to look for; any text, since others may have stored names that we would not accept. */
export function readName(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new InvalidSelectorError(`The name in the ${what} must be a string, not ${describeValue(value)}`);
}

/** One status or several; an empty list means no jobs at all. */
export function readStatuses(value: unknown, what: string): readonly JobStatus[] {
  const statuses = new Set<JobStatus>();
  // Each once, however often it was named: there are only so many.
  for (const status of listed(value)) {
    if (!isValidJobStatus(status)) {
      throw new InvalidSelectorError(
        `The ${what} names a status that does not exist: ${describeValue(status)}`,
      );
    }
    statuses.add(status);
  }
  return [...statuses];
}

/** The items of a list, or the one thing that was given in place of a list. */
function listed(value: unknown): readonly unknown[] {
  try {
    return Array.isArray(value) ? Array.from(value) : [value];
  } catch {
    return [value];
  }
}

export function readDate(value: unknown, key: string, what: string): Date {
  if (types.isDate(value) && !Number.isNaN(value.getTime())) return new Date(value);
  throw new InvalidSelectorError(`${key} in the ${what} must be a valid Date, not ${describeValue(value)}`);
}

export function readInteger(value: unknown, key: string, what: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InvalidSelectorError(
    `${key} in the ${what} must be a whole number from ${min} to ${max}, not ${describeValue(value)}`,
  );
}

export function readChoice<Word extends string>(
  value: unknown,
  key: string,
  what: string,
  words: readonly Word[],
): Word {
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  throw new InvalidSelectorError(
    `${key} in the ${what} must be one of ${words.join(', ')}, not ${describeValue(value)}`,
  );
}
