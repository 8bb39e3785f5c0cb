import { Cron } from 'croner';
import { InvalidCronError } from '../errors/input-errors.js';
import { type CronSyntax, PREDEFINED_NAMES, readCron } from './cron-syntax.js';
import { checkDate, LATEST_DATE } from './dates.js';
import { describeValue } from './describe-value.js';
import { checkTimezone } from './timezone.js';
import { instantOf, wallClock } from './wall-clock.js';

/** Finds the first time after an instant, both in milliseconds; undefined where the calendar ends. */
type Schedule = (after: number) => number | undefined;

/** What an expression may tell: minutes in five fields, or seconds in six. */
type Finest = 'minutes' | 'seconds';

/** Schedules are read again for every occurrence; a busy process has hundreds of them, not thousands. */
const MAX_SCHEDULES = 1_000;
const schedules = new Map<string, Schedule>();

/** Leap days are up to eight years apart, so that what fires at all fires within ten years of any date. */
const ANY_DATE = new Date('2001-01-01T00:00:00.000Z');

/**
 * The next time of a cron expression, strictly after a date.
 *
 * Times of day that a daylight-saving change skips fire when it has happened, and times that it repeats fire
 * once, the first time. Expressions that fire in every hour, such as `0 * * * *`, follow real time instead.
 *
 * @param expression - Five fields (minute hour day-of-month month day-of-week) or a predefined name such as `@daily`.
 * @param from - Now unless given.
 * @param timezone - Zone in which the expression is read.
 * @throws InvalidCronError
 *
 * @example
 * ```ts
 * import { getNextCronDate } from '@monque/core';
 *
 * const next = getNextCronDate('0 9 * * 1-5', new Date('2026-01-02T12:00:00Z'), 'Europe/Berlin');
 * // 2026-01-05T08:00:00.000Z
 * ```
 */
export function getNextCronDate(expression: string, from: Date = new Date(), timezone = 'UTC'): Date {
  return nextDate(expression, checkDate(from, 'from'), timezone, 'minutes');
}

/**
 * The same for a recurring template, whose expression may begin with a sixth field, for seconds.
 *
 * @throws InvalidCronError | InvalidOptionError for the time zone
 */
export function getNextTemplateDate(expression: string, from: Date, timezone: string): Date {
  return nextDate(expression, from, timezone, 'seconds');
}

/**
 * Accepts a cron expression that {@link getNextCronDate} can use and that fires at some time.
 *
 * @throws InvalidCronError
 */
export function validateCronExpression(expression: string, timezone = 'UTC'): void {
  scheduleOf(expression, checkTimezone(timezone), 'minutes');
}

function nextDate(expression: string, from: Date, timezone: string, finest: Finest): Date {
  const next = scheduleOf(expression, checkTimezone(timezone), finest)(from.getTime());
  if (next === undefined || next > LATEST_DATE) {
    throw invalid(expression, `it does not fire after ${from.toISOString()}`, finest);
  }
  return new Date(next);
}

function scheduleOf(expression: string, timezone: string, finest: Finest): Schedule {
  if (typeof expression !== 'string') throw invalid(describeValue(expression), 'it is no text', finest);
  const key = `${finest} ${timezone} ${expression}`;
  const known = schedules.get(key);
  const schedule = known ?? readSchedule(expression, timezone, finest);
  // A Map keeps the order of insertion: the first key is the one used longest ago.
  schedules.delete(key);
  schedules.set(key, schedule);
  if (schedules.size > MAX_SCHEDULES) schedules.delete(schedules.keys().next().value ?? key);
  return schedule;
}

function readSchedule(expression: string, timezone: string, finest: Finest): Schedule {
  const syntax = readCron(expression, finest === 'seconds');
  if (typeof syntax === 'string') throw invalid(expression, syntax, finest);
  // Read as times of day, without a zone, an expression has no daylight-saving changes to care for.
  const wallTimes = parse(expression, syntax, 'UTC', finest);
  if (wallTimes.nextRun(ANY_DATE) === null) throw invalid(expression, 'it never fires', finest);
  if (timezone === 'UTC') return (after) => nextRun(wallTimes, after);
  if (syntax.everyHour) {
    const realTimes = parse(expression, syntax, timezone, finest);
    return (after) => nextRun(realTimes, after);
  }
  return (after) => nextTimeOfDay(wallTimes, after, timezone);
}

/**
 * Goes from one time of day to the next, and turns each into an instant. Later times of day never give earlier
 * instants, so the first instant after the given one is the answer; in the second pass of a repeated hour, those
 * that belong to the first pass are gone by.
 */
function nextTimeOfDay(wallTimes: Cron, after: number, timezone: string): number | undefined {
  let wall = nextRun(wallTimes, wallClock(after, timezone));
  while (wall !== undefined) {
    const instant = instantOf(wall, timezone);
    if (instant > after) return instant;
    wall = nextRun(wallTimes, wall);
  }
  return undefined;
}

function nextRun(cron: Cron, after: number): number | undefined {
  return cron.nextRun(new Date(after))?.getTime();
}

function parse(expression: string, syntax: CronSyntax, timezone: string, finest: Finest): Cron {
  try {
    return new Cron(syntax.fields, { mode: syntax.hasSeconds ? '6-part' : '5-part', paused: true, timezone });
  } catch (cause) {
    throw invalid(expression, 'a value is out of range', finest, cause);
  }
}

function invalid(expression: string, reason: string, finest: Finest, cause?: unknown): InvalidCronError {
  const shown = expression.length > 200 ? `${expression.slice(0, 200)}…` : expression;
  return new InvalidCronError(
    expression,
    `Invalid cron expression "${shown}": ${reason}. Use 5 fields (minute hour day-of-month month day-of-week)` +
      `${finest === 'seconds' ? ', 6 with seconds before them' : ''} or a predefined expression (${PREDEFINED_NAMES.join(', ')}). Example: "0 9 * * 1-5" fires at 9:00 from Monday to Friday`,
    { cause },
  );
}
