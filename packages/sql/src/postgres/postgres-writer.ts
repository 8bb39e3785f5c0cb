import { earliestDue } from '../insert/earliest-due.js';
import { NEW_COLUMNS, type NewRow, PLAIN_COLUMNS } from '../insert/new-row.js';
import { ask, type Operation, type Query } from '../operation.js';
import { TIME_COLUMNS } from '../rows/job-row.js';
import { toPostgresTime } from '../rows/times.js';
import { postgresGrammar } from '../schema/grammar/postgres.js';
import {
  assignmentsOf,
  type OutcomeRow,
  type OutcomeType,
  type OutcomeValue,
} from '../settle/outcome-rows.js';
import type { Writer } from '../writer.js';
import { toArray } from './pg-driver.js';
import { dueMessage } from './postgres-notices.js';

const { quote } = postgresGrammar;

const NUMBERS: ReadonlySet<string> = new Set([
  'State',
  'RetryCount',
  'MaxRetryCount',
  'OwnRetries',
  'Priority',
]);

/** One statement for all rows of a kind, its values as one array for each column. */
export function postgresWriter(channel: string): Writer {
  return {
    *insert(rows: readonly NewRow[]): Operation<ReadonlySet<string>> {
      const isShared = rows.some(({ hasIdentity }) => hasIdentity);
      const { sql, columns } = isShared
        ? INSERT_SHARED
        : rows.every(({ isPlain }) => isPlain)
          ? INSERT_PLAIN
          : INSERT;
      // In one order in every process: two that store the same keys wait for each other, but never both at once.
      const hasKeys = isShared || rows.some(({ keyHash }) => keyHash !== undefined);
      const ordered = hasKeys ? [...rows].sort(byKey) : rows;
      const due = earliestDue(rows);
      const arrays = columns.map((_, place) => toArray(ordered.map(({ values }) => values[place] ?? null)));
      const message = due === undefined ? null : dueMessage(due.nextRunAt, due.name);
      const answer = yield* ask({ sql, parameters: [...arrays, channel, message], isFixed: true });
      const stored = answer.rows[0]?.[0];
      return new Set(typeof stored === 'string' ? stored.split(' ') : []);
    },

    *settle(type: OutcomeType, rows: readonly OutcomeRow[], at: Date): Operation<number> {
      const { sql, parameters } = settleStatement(type, rows, at);
      let matched = 0;
      for (let pass = 0; ; pass++) {
        const { affected } = yield* ask({ sql, parameters });
        matched += affected;
        // A row that a heartbeat moved at the very same moment is found in its new place by another pass.
        if (matched >= rows.length || (affected === 0 && pass > 0)) return matched;
      }
    },
  };
}

function byKey(one: NewRow, other: NewRow): number {
  const [first, second] = [one.keyHash ?? one.id, other.keyHash ?? other.id];
  return first < second ? -1 : first > second ? 1 : 0;
}

interface InsertStatement {
  readonly sql: string;
  readonly columns: readonly string[];
}

const WITH_KEYS = ' WHERE "KeyHash" IS NOT NULL';
const INSERT = insertStatement(NEW_COLUMNS, WITH_KEYS);
const INSERT_PLAIN = insertStatement(NEW_COLUMNS.slice(0, PLAIN_COLUMNS), WITH_KEYS);
/** For jobs that other processes may store as well: it answers the ids of all that were stored now. */
const INSERT_SHARED = insertStatement(NEW_COLUMNS, '');

/** Stores rows and tells of them with one statement, so that a lone job costs one round trip. */
function insertStatement(columns: readonly string[], told: string): InsertStatement {
  const list = columns.map(quote).join(', ');
  const arrays = columns.map((column, place) => `$${place + 1}::${typeOf(column)}[]`).join(', ');
  const channel = `$${columns.length + 1}::text`;
  const message = `$${columns.length + 2}::text`;
  const sql = `WITH stored AS (
  INSERT INTO "Jobs" (${list}) SELECT * FROM unnest(${arrays}) ON CONFLICT DO NOTHING RETURNING "Id", "KeyHash"
)
SELECT (SELECT string_agg("Id", ' ') FROM stored${told}),
  CASE WHEN ${message} IS NOT NULL THEN pg_notify(${channel}, ${message}) END`;
  return { sql, columns };
}

/** Whether a row is still held by the runs of this statement. */
const IS_HELD = `CASE WHEN "State" = 2
      THEN "ClaimToken" = ANY($2::text[]) AND "ClaimedBy" = ANY($3::text[]) ELSE false END`;

/**
 * Each row is looked up by its id, and written by its place: given the ids as a list, or joined to their values, the
 * planner would rather read the whole table while that is small. So values that differ come as one object, in which each
 * row finds its own; what all have in common, as the state mostly is, is written as it is. Behind CASE the planner does
 * not see the state, whose index looks short to it and is full of what has just ended. Index: PK_Jobs.
 *
 * That a run holds its row is asked for twice: servers before the autumn of 2025 (13.23, 14.20, 15.15, 16.11, 17.7, 18.1)
 * write a row that was found by its place also when another transaction has cancelled its job in the meantime, unless a
 * condition of the update itself says otherwise.
 */
function settleStatement(type: OutcomeType, rows: readonly OutcomeRow[], at: Date): Query {
  const parameters: (string | number | null)[] = [
    toArray(rows.map(({ id }) => id)),
    toArray([...new Set(rows.map(({ token }) => token))]),
    toArray([...new Set(rows.map(({ owner }) => owner))]),
    toPostgresTime(at),
    null,
  ];
  const different: OutcomeValue[] = [];
  const assignments = assignmentsOf(type, quote, (value) => {
    if (value === 'at') return '$4::timestamptz';
    const first = rows[0] === undefined ? null : elementOf(rows[0], value);
    if (rows.every((row) => elementOf(row, value) === first)) {
      return `$${parameters.push(first)}::${outcomeTypeOf(value)}`;
    }
    return `($5::jsonb -> "Id" ->> ${different.push(value) - 1})::${outcomeTypeOf(value)}`;
  });
  parameters[4] = toObject(rows, different);
  // The object is named in any case: a parameter that nobody uses has no type.
  const sql = `UPDATE "Jobs" SET ${assignments}
WHERE ctid = ANY(ARRAY(
  SELECT held."ctid" FROM unnest($1::text[]) AS run("id") CROSS JOIN LATERAL (
    SELECT ctid FROM "Jobs" WHERE "Id" = run."id" AND ${IS_HELD} LIMIT 1
  ) AS held
)) AND ${IS_HELD} AND $5::jsonb IS NOT NULL`;
  return { sql, parameters };
}

/** The values of all rows by their ids, as JSON. Made here: an object with so many keys is slow to build. */
function toObject(rows: readonly OutcomeRow[], values: readonly OutcomeValue[]): string {
  if (values.length === 0) return '{}';
  const members = rows.map((row) => {
    const elements = values.map((value) => JSON.stringify(elementOf(row, value)));
    return `${JSON.stringify(row.id)}:[${elements.join(',')}]`;
  });
  return `{${members.join(',')}}`;
}

function elementOf(row: OutcomeRow, value: OutcomeValue): string | number | null {
  if (value === 'startedAt') return toPostgresTime(row.startedAt);
  if (value === 'nextRunAt') return row.nextRunAt === null ? null : toPostgresTime(row.nextRunAt);
  // JSON would carry it where no text may hold it.
  if (value === 'reason') return row.reason?.replaceAll('\0', '\uFFFD') ?? null;
  return value === 'at' ? null : row[value];
}

function typeOf(column: string): string {
  if (TIME_COLUMNS.has(column)) return 'timestamptz';
  if (column === 'Timeout') return 'bigint';
  return NUMBERS.has(column) ? 'int' : 'text';
}

function outcomeTypeOf(value: OutcomeValue): string {
  if (value === 'startedAt' || value === 'nextRunAt') return 'timestamptz';
  return value === 'state' || value === 'failCount' ? 'int' : 'text';
}
