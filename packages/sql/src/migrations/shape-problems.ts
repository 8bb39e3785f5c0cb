import type { Tables } from '../schema/columns.js';
import { ACTIVE_KEY_COLUMN } from '../schema/indexes.js';
import {
  ADDED_JOB_COLUMNS,
  ADDED_RECURRING_COLUMNS,
  type Column,
  JOB_BATCHES,
  JOB_LOGS,
  JOBS,
  MIGRATIONS_TABLE,
  RECURRING_JOBS,
  WORKFLOW_JOB_COLUMNS,
} from '../schema/tables.js';
import type { FoundSchema } from './inspect/found-schema.js';
import type { Inspector } from './inspect/inspector.js';

interface Expectation {
  readonly table: keyof Tables;
  /** What a table of this name must have, whoever made it. */
  readonly columns: readonly Column[];
  /** What it may have as well, and has once these migrations were applied. */
  readonly added?: readonly { readonly columns: readonly Column[]; readonly since: number }[];
  /** The migration after which it must be there. */
  readonly since: number;
}

const EXPECTED: readonly Expectation[] = [
  {
    table: 'Jobs',
    columns: JOBS.columns,
    added: [
      { columns: ADDED_JOB_COLUMNS, since: 2 },
      { columns: WORKFLOW_JOB_COLUMNS, since: 3 },
    ],
    since: 1,
  },
  {
    table: 'RecurringJobs',
    columns: RECURRING_JOBS.columns,
    added: [{ columns: ADDED_RECURRING_COLUMNS, since: 3 }],
    since: 1,
  },
  { table: 'JobLogs', columns: JOB_LOGS.columns, since: 2 },
  { table: 'JobBatches', columns: JOB_BATCHES.columns, since: 3 },
  { table: 'MonqueMigrations', columns: MIGRATIONS_TABLE.columns, since: 1 },
];

/** What says that tables are not ours, before anything is written to them. */
export function problemsOf(found: FoundSchema, inspector: Inspector): string[] {
  return EXPECTED.flatMap((expected) => problemsOfTable(expected, found, inspector));
}

function problemsOfTable(expected: Expectation, found: FoundSchema, inspector: Inspector): string[] {
  const { table, columns, added = [] } = expected;
  const isApplied = (version: number) => found.applied.includes(version);
  if (!found.hasTable(table)) {
    return isApplied(expected.since)
      ? [`the table "${table}" is missing, though its migration was applied`]
      : [];
  }
  const applied = added.filter(({ since }) => isApplied(since));
  const required = [...columns, ...applied.flatMap((one) => one.columns)];
  const known = [...columns, ...added.flatMap((one) => one.columns)];
  const missing = required.filter(({ name }) => !found.hasColumn(table, name));
  const names = new Set([...known.map(({ name }) => name), ACTIVE_KEY_COLUMN.name].map(lower));
  return [
    ...missing.map(({ name }) => `the table "${table}" has no column "${name}"`),
    ...known.flatMap(({ name, kind }) => {
      const type = found.column(table, name)?.type;
      if (type === undefined || inspector.fits(kind, type)) return [];
      return [`the column "${name}" of "${table}" is of the type ${type}, which holds no ${kind}`];
    }),
    ...found
      .columnsOf(table)
      .filter(({ column, mustBeNamed }) => mustBeNamed && !names.has(lower(column)))
      .map(
        ({ column }) => `the column "${column}" of "${table}" must be filled, and Monque does not know it`,
      ),
  ];
}

function lower(name: string): string {
  return name.toLowerCase();
}
