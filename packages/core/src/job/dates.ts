import { types } from 'node:util';
import { InvalidOptionError } from '../errors/input-errors.js';
import { describeValue } from './describe-value.js';

/** The first millisecond of the year 1, before which PostgreSQL's and MariaDB's drivers do not agree on a date. */
const EARLIEST_DATE = Date.parse('0001-01-01T00:00:00.000Z');

/** The last millisecond of the year 9999, the latest that every store can hold and sort. */
export const LATEST_DATE = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Accepts a date that every store can hold, and answers a copy: a caller who changes the date afterwards must
 * not change the job.
 *
 * @throws InvalidOptionError naming the option.
 */
export function checkDate(value: unknown, option: string): Date {
  // Not instanceof: a date from another realm, as tests and vm contexts make them, is a date.
  if (!types.isDate(value)) {
    throw new InvalidOptionError(option, `Option "${option}" must be a Date, not ${describeValue(value)}`);
  }
  const time = Date.prototype.getTime.call(value);
  if (Number.isNaN(time)) {
    throw new InvalidOptionError(
      option,
      `Option "${option}" is an invalid Date. Check the text it was made from`,
    );
  }
  if (time < EARLIEST_DATE || time > LATEST_DATE) {
    throw new InvalidOptionError(option, `Option "${option}" must lie between the years 1 and 9999`);
  }
  return new Date(time);
}
