import type { Bystanders } from '../contender.js';

/** Over which the times of the copies are spread, in seconds: a month. */
const SPREAD_S = 30 * 86_400;

/** How a dialect writes what the copies need. */
interface Dialect {
  quote(name: string): string;
  /** A table `n` with a column `i` of the numbers from 1 on. */
  numbers(count: number): { readonly before?: string; readonly from: string };
  /** A GUID made of the number. */
  id: string;
  /** A time column, so many seconds later. */
  later(column: string, seconds: string): string;
}

const DIALECTS = {
  sqlite: {
    quote: (name) => `"${name}"`,
    numbers: (count) => ({
      before: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`,
      from: 'n',
    }),
    id: "printf('%08x-0000-7000-8000-%012x', i, i)",
    later: (column, seconds) =>
      `strftime('%Y-%m-%d %H:%M:%f', ${column}, (${seconds}) || ' seconds') || '+00:00'`,
  },
  postgres: {
    quote: (name) => `"${name}"`,
    numbers: (count) => ({ from: `generate_series(1, ${count}) AS n(i)` }),
    id: "lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0')",
    later: (column, seconds) => `${column} + (${seconds}) * interval '1 second'`,
  },
  mariadb: {
    quote: (name) => `\`${name}\``,
    numbers: (count) => ({ from: `(SELECT seq AS i FROM seq_1_to_${count}) AS n` }),
    id: "LOWER(CONCAT(LPAD(HEX(i), 8, '0'), '-0000-7000-8000-', LPAD(HEX(i), 12, '0')))",
    later: (column, seconds) => `${column} + INTERVAL (${seconds}) * 1000000 MICROSECOND`,
  },
} satisfies Record<string, Dialect>;

/**
 * A statement that multiplies a row of `Jobs` on the server itself.
 *
 * @param row - The template as the driver reads it; only columns that it has a value in are copied.
 * @param generated - Columns that the server computes.
 */
export function copyRow(
  dialect: keyof typeof DIALECTS,
  row: Readonly<Record<string, unknown>>,
  { count, kind, generated = [] }: { count: number; kind: Bystanders; generated?: readonly string[] },
): string {
  const { quote, numbers, id, later }: Dialect = DIALECTS[dialect];
  const columns = Object.keys(row).filter((name) => row[name] !== null && !generated.includes(name));
  const seconds = `i * ${((kind === 'future' ? 1 : -1) * SPREAD_S) / count}`;
  const values = columns.map((name) => {
    if (name === 'Id') return id;
    return /At$|^LastHeartbeat$/.test(name) ? later(`t.${quote(name)}`, seconds) : `t.${quote(name)}`;
  });
  const { before = '', from } = numbers(count);
  return (
    `${before} INSERT INTO ${quote('Jobs')} (${columns.map(quote).join(', ')}) ` +
    `SELECT ${values.join(', ')} FROM ${quote('Jobs')} AS t, ${from} WHERE t.${quote('Id')} = '${String(row.Id)}'`
  ).trim();
}
