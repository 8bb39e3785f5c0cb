import type { Tables } from '../../schema/columns.js';
import type { Existing } from '../steps.js';

/** A column as the database describes it. */
export interface FoundColumn {
  readonly table: string;
  readonly column: string;
  /** The database's word for its type, in lower case. */
  readonly type: string;
  /** Whether a row must name it: not null, and nothing fills it. */
  readonly mustBeNamed: boolean;
  readonly collation?: string;
}

/** What a dialect answers when it is asked for the tables that matter here. */
export interface Inspection {
  readonly columns: readonly FoundColumn[];
  /** Names of their indexes. */
  readonly indexes: readonly string[];
  /** Whether names that differ in case only are the same. */
  readonly ignoresCase: boolean;
  /** Of texts in new tables, where that matters. */
  readonly collation?: string;
}

/** The tables that are there, and the migrations that were applied. */
export class FoundSchema implements Existing {
  /** Versions that were recorded, in no particular order. */
  readonly applied: readonly number[];
  readonly keyCollation?: string;
  readonly #fold: (name: string) => string;
  readonly #tables = new Map<string, Map<string, FoundColumn>>();
  readonly #indexes: ReadonlySet<string>;

  constructor(inspection: Inspection, applied: readonly number[]) {
    this.applied = applied;
    this.#fold = inspection.ignoresCase ? (name) => name.toLowerCase() : (name) => name;
    this.#indexes = new Set(inspection.indexes.map(this.#fold));
    for (const found of inspection.columns) {
      const table = this.#fold(found.table);
      const columns = this.#tables.get(table) ?? new Map<string, FoundColumn>();
      this.#tables.set(table, columns.set(this.#fold(found.column), found));
    }
    const key = this.column('Jobs', 'Id')?.collation;
    if (key !== undefined && key !== inspection.collation) this.keyCollation = key;
  }

  hasTable(table: keyof Tables): boolean {
    return this.#tables.has(this.#fold(table));
  }

  hasColumn(table: keyof Tables, column: string): boolean {
    return this.column(table, column) !== undefined;
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(this.#fold(name));
  }

  column(table: keyof Tables, column: string): FoundColumn | undefined {
    return this.#tables.get(this.#fold(table))?.get(this.#fold(column));
  }

  columnsOf(table: keyof Tables): FoundColumn[] {
    return [...(this.#tables.get(this.#fold(table))?.values() ?? [])];
  }
}
