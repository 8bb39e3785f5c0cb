import type { Tables } from './columns.js';
import type { AddedIndex, SqlDialect } from './indexes.js';

/** An index of any of the tables. */
export type Index = Omit<AddedIndex, 'table'> & { readonly table: keyof Tables };

/**
 * JobSharp's own indexes of `Jobs`. PostgreSQL, for which its page has no statements, leaves out of two of them the rows
 * without a value, nearly all: it writes every index anew for each change of a row, and nobody looks for such rows by
 * them.
 */
export function jobIndexes(dialect: SqlDialect): readonly Index[] {
  const link = (column: string) =>
    dialect === 'postgres' ? ofValues(plain('Jobs', [column]), column) : plain('Jobs', [column]);
  return [
    link('BatchId'),
    link('ParentJobId'),
    plain('Jobs', ['ScheduledAt']),
    plain('Jobs', ['State']),
    plain('Jobs', ['State', 'ScheduledAt']),
  ];
}

/** JobSharp's own indexes of `RecurringJobs`. */
export const RECURRING_JOB_INDEXES: readonly Index[] = [
  plain('RecurringJobs', ['IsEnabled']),
  plain('RecurringJobs', ['NextExecution']),
];

function plain(table: keyof Tables, columns: readonly string[]): Index {
  return {
    name: `IX_${table}_${columns.join('_')}`,
    table,
    unique: false,
    keys: (quote) => columns.map(quote),
  };
}

function ofValues(index: Index, column: string): Index {
  return { ...index, where: (quote) => `${quote(column)} IS NOT NULL` };
}
