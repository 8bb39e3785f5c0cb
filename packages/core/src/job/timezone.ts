import { InvalidOptionError } from '../errors/input-errors.js';
import { describeValue } from './describe-value.js';

/** Asking Intl costs tens of microseconds, and a process uses few zones. Only valid ones enter, so it is bounded. */
const known = new Set<string>(['UTC']);

/**
 * Accepts a time zone that this host knows, such as `Europe/Berlin`.
 *
 * @throws InvalidOptionError naming the option.
 */
export function checkTimezone(value: unknown, option = 'timezone'): string {
  if (typeof value === 'string' && (known.has(value) || isZone(value))) {
    known.add(value);
    return value;
  }
  throw new InvalidOptionError(
    option,
    `Option "${option}" must be a time zone such as "Europe/Berlin" or "UTC", not ${describeValue(value)}`,
  );
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
