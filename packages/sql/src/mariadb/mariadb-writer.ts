import { codeOf } from '../driver-codes.js';
import { NEW_COLUMNS, type NewRow } from '../insert/new-row.js';
import { ask, type Operation, type Query } from '../operation.js';
import { toMariadbTime } from '../rows/times.js';
import {
  assignmentsOf,
  type OutcomeRow,
  type OutcomeType,
  type OutcomeValue,
} from '../settle/outcome-rows.js';
import type { Writer } from '../writer.js';

const quote = (name: string) => `\`${name}\``;
const placeholders = (count: number) => `(${Array.from({ length: count }, () => '?').join(', ')})`;

/** Rows and characters of one statement: a server takes no longer ones than its `max_allowed_packet`. */
const MOST_ROWS = 500;
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** One statement for many rows, their values written into it. */
export const mariadbWriter: Writer = {
  *insert(rows: readonly NewRow[]): Operation<ReadonlySet<string>> {
    const stored = new Set<string>();
    for (const row of rows.filter(({ hasIdentity }) => hasIdentity)) {
      if (yield* insertAlone(row)) stored.add(row.id);
    }
    const others = rows.filter(({ hasIdentity }) => !hasIdentity).sort(byKey);
    for (const part of inParts(others)) yield* ask(insertStatement(part));
    const keyed = others.filter(({ keyHash }) => keyHash !== undefined).map(({ id }) => id);
    if (keyed.length === 0) return stored;
    const sql = `SELECT \`Id\` FROM \`Jobs\` WHERE \`Id\` IN ${placeholders(keyed.length)}`;
    for (const [id] of (yield* ask({ sql, parameters: keyed })).rows) stored.add(String(id));
    return stored;
  },

  *settle(type: OutcomeType, rows: readonly OutcomeRow[], at: Date): Operation<number> {
    let matched = 0;
    for (const part of inParts(rows)) matched += (yield* ask(settleStatement(type, part, at))).affected;
    return matched;
  },
};

/**
 * Stores a row that other processes may store as well; answers whether it was this one. Alone, and by an insert that is
 * refused: which of several rows were there already no statement tells, and the number of rows that it changed is the
 * same for one that was there, depending on the driver's flags.
 */
function* insertAlone(row: NewRow): Operation<boolean> {
  try {
    yield* ask({ sql: `${INSERT} ${placeholders(NEW_COLUMNS.length)}`, parameters: row.values });
    return true;
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_ENTRY) throw error;
    return false;
  }
}

/** In one order in every process, so that fewer wait for each other both at once. */
function byKey({ keyHash: one = '' }: NewRow, { keyHash: other = '' }: NewRow): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const INSERT = `INSERT INTO \`Jobs\` (${NEW_COLUMNS.map(quote).join(', ')}) VALUES`;
const DUPLICATE_ENTRY = 'ER_DUP_ENTRY';

/** A row that exists already, by its id or its key, stays as it is. */
function insertStatement(rows: readonly NewRow[]): Query {
  const values = rows.map(() => placeholders(NEW_COLUMNS.length)).join(', ');
  return {
    sql: `${INSERT} ${values} ON DUPLICATE KEY UPDATE \`Id\` = \`Id\``,
    parameters: rows.flatMap((row) => row.values),
  };
}

/** Rows are found by the values that are joined to them, one after the other. Index: PK_Jobs. */
function settleStatement(type: OutcomeType, rows: readonly OutcomeRow[], at: Date): Query {
  const values = new Set<OutcomeValue>();
  const assignments = assignmentsOf(
    type,
    (column) => `job.${quote(column)}`,
    (value) => {
      values.add(value);
      return `run.${quote(value)}`;
    },
  );
  const columns = [...values];
  const first = `SELECT ? AS \`id\`, ${columns.map((column) => `? AS ${quote(column)}`).join(', ')}`;
  const next = ` UNION ALL SELECT ?, ${columns.map(() => '?').join(', ')}`;
  const tokens = [...new Set(rows.map(({ token }) => token))];
  const owners = [...new Set(rows.map(({ owner }) => owner))];
  return {
    sql: `UPDATE (${first}${next.repeat(rows.length - 1)}) AS run STRAIGHT_JOIN \`Jobs\` AS job ON job.\`Id\` = run.\`id\`
SET ${assignments} WHERE job.\`State\` = 2 AND job.\`ClaimToken\` IN ${placeholders(tokens.length)}
  AND job.\`ClaimedBy\` IN ${placeholders(owners.length)}`,
    parameters: [
      ...rows.flatMap((row) => [row.id, ...columns.map((column) => parameterOf(row, column, at))]),
      ...tokens,
      ...owners,
    ],
  };
}

function parameterOf(row: OutcomeRow, value: OutcomeValue, at: Date): string | number | null {
  switch (value) {
    case 'at':
      return toMariadbTime(at);
    case 'startedAt':
      return toMariadbTime(row.startedAt);
    case 'nextRunAt':
      return row.nextRunAt === null ? null : toMariadbTime(row.nextRunAt);
    default:
      return row[value];
  }
}

/** Parts that each fit into a statement. */
function* inParts<T extends NewRow | OutcomeRow>(rows: readonly T[]): Generator<T[]> {
  let part: T[] = [];
  let length = 0;
  for (const row of rows) {
    const own = lengthOf(row);
    if (part.length > 0 && (part.length >= MOST_ROWS || length + own > MOST_CHARACTERS)) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(row);
    length += own;
  }
  if (part.length > 0) yield part;
}

function lengthOf(row: NewRow | OutcomeRow): number {
  if ('values' in row) return String(row.values[NEW_COLUMNS.indexOf('Arguments')]).length;
  return (row.result?.length ?? 0) + (row.reason?.length ?? 0);
}
