/** No zone is further from UTC, and none ever moved its clocks by more than a day. */
const BEYOND_ANY_CHANGE = 38 * 3_600_000;

/** Making a formatter costs far more than using it. Zones are checked before, so that there are few. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** What clocks in a zone show at an instant, as the milliseconds of a UTC date that shows the same. */
export function wallClock(instant: number, zone: string): number {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) {
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  }
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(shown.year, shown.month - 1, shown.day);
  date.setUTCHours(shown.hour, shown.minute, shown.second, new Date(instant).getUTCMilliseconds());
  return date.getTime();
}

/**
 * The instant at which clocks in a zone show a time: the first one where they show it twice, and where they
 * skip it, the instant at which they jump over it.
 */
export function instantOf(wall: number, zone: string): number {
  const before = offsetAt(wall - BEYOND_ANY_CHANGE, zone);
  const after = offsetAt(wall + BEYOND_ANY_CHANGE, zone);
  if (before === after) return wall - before;
  const candidates = [wall - Math.max(before, after), wall - Math.min(before, after)];
  const first = candidates.find((instant) => wallClock(instant, zone) === wall);
  return first ?? changeBetween(wall - BEYOND_ANY_CHANGE, wall + BEYOND_ANY_CHANGE, zone);
}

function offsetAt(instant: number, zone: string): number {
  return wallClock(instant, zone) - instant;
}

/** The first instant at which the offset is no longer the one at `from`. */
function changeBetween(from: number, to: number, zone: string): number {
  const before = offsetAt(from, zone);
  let [still, changed] = [from, to];
  while (changed - still > 1) {
    const middle = Math.floor((still + changed) / 2);
    if (offsetAt(middle, zone) === before) still = middle;
    else changed = middle;
  }
  return changed;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, formatter);
  return formatter;
}
