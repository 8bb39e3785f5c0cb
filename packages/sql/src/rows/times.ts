/** The latest time that was written, and its text: the jobs of a batch share most of theirs. */
let latest = { time: Number.NaN, text: '' };

/** `2026-11-15 07:51:00.123`, in UTC. */
function toText(time: Date): string {
  const millis = time.getTime();
  if (latest.time !== millis) {
    const iso = time.toISOString();
    latest = { time: millis, text: `${iso.slice(0, 10)} ${iso.slice(11, 23)}` };
  }
  return latest.text;
}

/** The form in which SQLite holds times, as EF Core writes them: text order is time order. */
export function toSqliteTime(time: Date): string {
  return `${toText(time)}+00:00`;
}

/** The form in which PostgreSQL takes times. */
export function toPostgresTime(time: Date): string {
  return `${toText(time)}Z`;
}

/** The form in which MariaDB takes times, which have no zone there and are UTC. */
export function toMariadbTime(time: Date): string {
  return toText(time);
}

const ZERO = 48;
const POINT = 46;
/** Where the seconds end in `2026-11-15 07:51:00`. */
const SECONDS_END = 19;

/** Date and time, a fraction of any length, and an offset in any of the usual forms; only the date must be there. */
const ANY_FORM =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/i;

/**
 * Reads a time as a database gives it, or as other programs wrote it: `2026-11-15 07:51:00.123+00:00` and the like. One
 * without an offset is UTC. Undefined for what is no time.
 */
export function parseTime(value: unknown): Date | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Date) return value;
  const text = String(value);
  return parseUsualForm(text) ?? parseAnyForm(text);
}

/**
 * What we write ourselves, as SQLite and PostgreSQL give it back, by the place of its digits: several of these come with
 * every job. Undefined for everything else.
 */
function parseUsualForm(text: string): Date | undefined {
  let end = SECONDS_END;
  let millisecond = 0;
  if (text.charCodeAt(end) === POINT) {
    for (let scale = 100; scale >= 1; scale /= 10) {
      const digit = text.charCodeAt(end + 1) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      millisecond += digit * scale;
      end += 1;
    }
    end += 1;
  }
  const offset = text.length - end;
  const isUtc = (offset === 3 && text.endsWith('+00')) || (offset === 6 && text.endsWith('+00:00'));
  const year = digits(text, 0, 4);
  // Years of two digits would become years of the last century.
  if (!isUtc || !(year >= 100) || text.length < SECONDS_END) return undefined;
  return new Date(
    Date.UTC(
      year,
      digits(text, 5, 7) - 1,
      digits(text, 8, 10),
      digits(text, 11, 13),
      digits(text, 14, 16),
      digits(text, 17, 19),
      millisecond,
    ),
  );
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let place = from; place < to; place++) value = value * 10 + text.charCodeAt(place) - ZERO;
  return value;
}

function parseAnyForm(text: string): Date | undefined {
  const parts = ANY_FORM.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', , sign, hours, minutes] =
    parts;
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = sign === undefined ? 0 : Number(hours) * 60 + Number(minutes ?? 0);
  return new Date(time.getTime() + (sign === '-' ? offset : -offset) * 60_000);
}
