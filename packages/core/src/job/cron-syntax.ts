/** A cron expression that has been read. */
export interface CronSyntax {
  /** Five fields, or six with seconds, separated by one blank each. */
  readonly fields: string;
  readonly hasSeconds: boolean;
  /** Whether it may fire in every hour of the day, so that it counts hours rather than names times of day. */
  readonly everyHour: boolean;
}

const PREDEFINED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Names that stand for five fields. */
export const PREDEFINED_NAMES = Object.keys(PREDEFINED);

const NUMBER = '\\d{1,2}';
const MONTH = `(?:${NUMBER}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`;
const WEEKDAY = `(?:${NUMBER}|sun|mon|tue|wed|thu|fri|sat)`;

/**
 * What standard cron accepts in each field: `*`, values, ranges, steps of `*` or of a range, and lists of these.
 * Ranges of numbers are left to croner; this keeps its extensions (L, W, #, ?, +) out.
 */
const FIELDS = [
  { name: 'minute', pattern: field(NUMBER) },
  { name: 'hour', pattern: field(NUMBER) },
  { name: 'day-of-month', pattern: field(NUMBER) },
  { name: 'month', pattern: field(MONTH) },
  { name: 'day-of-week', pattern: field(WEEKDAY) },
];

/** Stands before the others where an expression may tell seconds. */
const SECOND_FIELD = { name: 'second', pattern: field(NUMBER) };

/** Every value of every field, written out, takes about 600 characters; hostile texts are not read at length. */
const MAX_LENGTH = 1_000;

function field(value: string): RegExp {
  const item = `(?:\\*(?:/${NUMBER})?|${value}-${value}(?:/${NUMBER})?|${value})`;
  return new RegExp(`^${item}(?:,${item})*$`, 'i');
}

/**
 * Reads an expression, or answers the reason why it cannot be read.
 *
 * @param maySeconds - Whether it may have a sixth field, the first, for seconds.
 */
export function readCron(expression: string, maySeconds: boolean): CronSyntax | string {
  const text = expression.trim();
  if (text === '') return 'it is empty';
  if (text.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (text.startsWith('@')) {
    const fields = Object.hasOwn(PREDEFINED, text) ? PREDEFINED[text] : undefined;
    return fields === undefined
      ? 'this name is not predefined'
      : { fields, hasSeconds: false, everyHour: text === '@hourly' };
  }
  const parts = text.split(/\s+/);
  const hasSeconds = maySeconds && parts.length === FIELDS.length + 1;
  if (parts.length !== FIELDS.length && !hasSeconds) {
    return `it has ${parts.length} field${parts.length === 1 ? '' : 's'} instead of 5${maySeconds ? ' or 6' : ''}`;
  }
  const fields = hasSeconds ? [SECOND_FIELD, ...FIELDS] : FIELDS;
  const wrong = fields.find(({ pattern }, index) => !pattern.test(parts[index] ?? ''));
  if (wrong !== undefined) return `its ${wrong.name} field cannot be read`;
  const hours = parts[hasSeconds ? 2 : 1] ?? '';
  return { fields: parts.join(' '), hasSeconds, everyHour: coversEveryHour(hours) };
}

function coversEveryHour(hours: string): boolean {
  const covered = new Set<number>();
  for (const item of hours.split(',')) {
    const [range = '', step = '1'] = item.split('/');
    const [first = '', last = first] = range === '*' ? ['0', '23'] : range.split('-');
    // A step of 0 is refused by croner; here it must not loop for ever.
    for (let hour = Number(first); hour <= Number(last); hour += Number(step) || 24) covered.add(hour);
  }
  return covered.size >= 24;
}
