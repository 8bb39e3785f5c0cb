import { familyOf, type SchemaDialect } from '../schema/dialect.js';
import { ACTIVE_KEY_COLUMN, addedIndexes, workflowIndexes } from '../schema/indexes.js';
import { type Index, jobIndexes, RECURRING_JOB_INDEXES } from '../schema/seed-indexes.js';
import {
  ADDED_JOB_COLUMNS,
  ADDED_RECURRING_COLUMNS,
  JOB_BATCHES,
  JOB_LOGS,
  JOBS,
  RECURRING_JOBS,
  WORKFLOW_JOB_COLUMNS,
} from '../schema/tables.js';
import { orderTimes } from './order-times.js';
import type { Step } from './steps.js';

/** A change of the schema. Versions count up from 1; one that was released is never changed, only followed by another. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  steps(dialect: SchemaDialect): readonly Step[];
}

const index = (of: Index): Step => ({ kind: 'index', index: of });

/** All migrations in their order. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'tables of JobSharp',
    steps: (dialect) => [
      { kind: 'table', table: JOBS },
      ...jobIndexes(familyOf(dialect)).map(index),
      { kind: 'table', table: RECURRING_JOBS },
      ...RECURRING_JOB_INDEXES.map(index),
    ],
  },
  {
    version: 2,
    name: 'additions of Monque',
    steps: (dialect) => [
      ...(dialect === 'sqlite' ? [orderTimes(JOBS), orderTimes(RECURRING_JOBS)] : []),
      { kind: 'columns', table: 'Jobs', columns: ADDED_JOB_COLUMNS },
      ...(familyOf(dialect) === 'mariadb'
        ? [{ kind: 'generated', table: 'Jobs', column: ACTIVE_KEY_COLUMN } as const]
        : []),
      { kind: 'table', table: JOB_LOGS },
      ...addedIndexes(familyOf(dialect)).map(index),
    ],
  },
  {
    version: 3,
    name: 'workflows',
    steps: (dialect) => [
      { kind: 'columns', table: 'Jobs', columns: WORKFLOW_JOB_COLUMNS },
      { kind: 'columns', table: 'RecurringJobs', columns: ADDED_RECURRING_COLUMNS },
      { kind: 'table', table: JOB_BATCHES },
      ...workflowIndexes(familyOf(dialect)).map(index),
    ],
  },
];

/** The version that a schema has once all of them are applied. */
export const LATEST_VERSION = MIGRATIONS.length;
