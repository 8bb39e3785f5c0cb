import { earliestDue } from '../insert/earliest-due.js';
import { NEW_COLUMNS, type NewRow } from '../insert/new-row.js';
import type { Notices } from '../notices.js';
import type { Operation } from '../operation.js';
import { toSqliteTime } from '../rows/times.js';
import {
  assignmentsOf,
  type OutcomeRow,
  type OutcomeType,
  type OutcomeValue,
} from '../settle/outcome-rows.js';
import type { Writer } from '../writer.js';

const INSERT = `INSERT INTO "Jobs" (${NEW_COLUMNS.map((column) => `"${column}"`).join(', ')})
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
      for (const row of rows) {
        const parameters: (string | number | null)[] = [];
        for (const value of values) parameters.push(parameterOf(row, value, settledAt));
        parameters.push(row.id, row.token, row.owner);
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

function settleStatement(type: OutcomeType): Settle {
  const values: OutcomeValue[] = [];
  const assignments = assignmentsOf(
    type,
    (column) => `"${column}"`,
    (value) => {
      values.push(value);
      return '?';
    },
  );
  const sql = `UPDATE "Jobs" SET ${assignments}
WHERE "Id" = ? AND "ClaimToken" = ? AND "ClaimedBy" = ? AND "State" = 2`;
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
