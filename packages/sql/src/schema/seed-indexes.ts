import type { Tables } from './columns.js';
import type { AddedIndex } from './indexes.js';

/** An index of any of the tables. */
export type Index = Omit<AddedIndex, 'table'> & { readonly table: keyof Tables };

/** JobSharp's own indexes of `Jobs`. */
export const JOB_INDEXES: readonly Index[] = [
  plain('Jobs', ['BatchId']),
  plain('Jobs', ['ParentJobId']),
  plain('Jobs', ['ScheduledAt']),
  plain('Jobs', ['State']),
  plain('Jobs', ['State', 'ScheduledAt']),
];

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
