import { earliestDue } from '../insert/earliest-due.js';
import { NEW_COLUMNS, type NewRow } from '../insert/new-row.js';
import type { Notices } from '../notices.js';
import type { Operation } from '../operation.js';
import { toSqliteTime } from '../rows/times.js';
import { sqliteGrammar } from '../schema/grammar/sqlite.js';
import {
  assignmentsOf,
  type OutcomeRow,
  type OutcomeType,
  type OutcomeValue,
} from '../settle/outcome-rows.js';
import type { Writer } from '../writer.js';

const INSERT = `INSERT INTO "Jobs" (${NEW_COLUMNS.map(sqliteGrammar.quote).join(', ')})
VALUES (${NEW_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;

/** One statement for each row: without a round trip, nothing is gained by putting them together. */
export function sqliteWriter(notices: Notices): Writer {
  return {
    *insert(rows: readonly NewRow[]): Operation<ReadonlySet<string>> {
      const stored = new Set<string>();
      for (const { id, values } of rows) {
        const { affected } = yield { sql: INSERT, parameters: values };
        if (affected > 0) stored.add(id);
      }
      const due = earliestDue(rows);
      if (due !== undefined) yield* notices.due(due.nextRunAt, due.name);
      return stored;
    },

    *settle(type: OutcomeType, rows: readonly OutcomeRow[], at: Date): Operation<number> {
      const { sql, values } = SETTLES[type];
      const settledAt = toSqliteTime(at);
      let matched = 0;
      for (const group of alike(rows)) {
        const [first] = group;
        if (first === undefined) continue;
        const parameters = values.map((value) => parameterOf(first, value, settledAt));
        parameters.push(JSON.stringify(group.map(({ id }) => id)), first.token, first.owner);
        const { affected } = yield { sql, parameters };
        matched += affected;
      }
      return matched;
    },
  };
}

interface Settle {
  readonly sql: string;
  /** The values of its assignments, in the order of their places. */
  readonly values: readonly OutcomeValue[];
}

const SETTLES = Object.fromEntries(
  (['completed', 'repeat', 'retry', 'failed', 'cancelled', 'snoozed'] as const).map((type) => [
    type,
    settleStatement(type),
  ]),
) as Readonly<Record<OutcomeType, Settle>>;

/** Runs of rows with the same values, such as those of jobs that began in the same millisecond. */
function alike(rows: readonly OutcomeRow[]): OutcomeRow[][] {
  const groups: OutcomeRow[][] = [];
  let group: OutcomeRow[] = [];
  for (const row of rows) {
    const [first] = group;
    if (first === undefined || !isAlike(first, row)) {
      group = [];
      groups.push(group);
    }
    group.push(row);
  }
  return groups;
}

function isAlike(one: OutcomeRow, other: OutcomeRow): boolean {
  return (
    one.token === other.token &&
    one.owner === other.owner &&
    one.startedAt.getTime() === other.startedAt.getTime() &&
    one.state === other.state &&
    one.nextRunAt?.getTime() === other.nextRunAt?.getTime() &&
    one.failCount === other.failCount &&
    one.reason === other.reason &&
    one.result === other.result
  );
}

/** By their ids; the sign keeps SQLite from the index of states, which holds all that is processed. Index: PK_Jobs. */
function settleStatement(type: OutcomeType): Settle {
  const values: OutcomeValue[] = [];
  const assignments = assignmentsOf(type, sqliteGrammar.quote, (value) => {
    values.push(value);
    return '?';
  });
  const sql = `UPDATE "Jobs" SET ${assignments}
WHERE "Id" IN (SELECT value FROM json_each(?)) AND "ClaimToken" = ? AND "ClaimedBy" = ? AND +"State" = 2`;
  return { sql, values };
}

function parameterOf(row: OutcomeRow, value: OutcomeValue, at: string): string | number | null {
  switch (value) {
    case 'at':
      return at;
    case 'startedAt':
      return toSqliteTime(row.startedAt);
    case 'nextRunAt':
      return row.nextRunAt === null ? null : toSqliteTime(row.nextRunAt);
    default:
      return row[value];
  }
}
