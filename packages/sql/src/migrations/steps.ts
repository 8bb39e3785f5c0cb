import type { Tables } from '../schema/columns.js';
import type { Emitter } from '../schema/emit.js';
import type { GeneratedColumn } from '../schema/indexes.js';
import type { Index } from '../schema/seed-indexes.js';
import type { Column, Table } from '../schema/tables.js';

/**
 * One thing that a migration does to the schema. What is there already is passed over: a table that JobSharp made, or
 * what a process left that was killed half-way, where the database cannot undo statements about the schema.
 */
export type Step =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'columns'; readonly table: keyof Tables; readonly columns: readonly Column[] }
  | { readonly kind: 'generated'; readonly table: keyof Tables; readonly column: GeneratedColumn }
  | { readonly kind: 'index'; readonly index: Index }
  /** Statements about the rows of tables that others made. */
  | { readonly kind: 'rows'; readonly table: keyof Tables; readonly statements: readonly string[] };

/** What is in a database, as far as steps are concerned. */
export interface Existing {
  hasTable(table: keyof Tables): boolean;
  hasColumn(table: keyof Tables, column: string): boolean;
  hasIndex(name: string): boolean;
  /** Of the key of `Jobs`, where new tables would have another one. */
  readonly keyCollation?: string;
}

/** A database without any of the tables. */
export const NOTHING: Existing = { hasTable: () => false, hasColumn: () => false, hasIndex: () => false };

/** The statements that a step still takes. */
export function statementsOf(step: Step, existing: Existing, emit: Emitter): string[] {
  switch (step.kind) {
    case 'table':
      return existing.hasTable(step.table.name) ? [] : [emit.createTable(step.table, existing.keyCollation)];
    case 'columns': {
      const missing = step.columns.filter(({ name }) => !existing.hasColumn(step.table, name));
      return missing.length === 0 ? [] : emit.addColumns(step.table, missing);
    }
    case 'generated':
      return existing.hasColumn(step.table, step.column.name)
        ? []
        : [emit.addGeneratedColumn(step.table, step.column)];
    case 'index':
      return existing.hasIndex(step.index.name) ? [] : [emit.createIndex(step.index)];
    case 'rows':
      return existing.hasTable(step.table) ? [...step.statements] : [];
  }
}
