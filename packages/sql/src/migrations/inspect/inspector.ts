import type { Kysely } from 'kysely';
import type { ColumnKind } from '../../schema/tables.js';
import type { Inspection } from './found-schema.js';

/** How one dialect describes its tables. */
export interface Inspector {
  inspect<DB>(db: Kysely<DB>): Promise<Inspection>;
  /** Whether a column of this type can hold what the kind says. */
  fits(kind: ColumnKind, type: string): boolean;
}

/** The names of all tables, for a condition. */
export const TABLE_NAMES = ['Jobs', 'RecurringJobs', 'JobLogs', 'JobBatches', 'MonqueMigrations'] as const;
