import type { Quote } from '../indexes.js';
import type { Column } from '../tables.js';

/** What sets the DDL of one kind of database apart. */
export interface Grammar {
  readonly quote: Quote;
  /** The type of a column, with everything that a column of this kind needs. */
  readonly type: (column: Column) => string;
  /** Stands after the type of a column that may be null. */
  readonly nullable: '' | ' NULL';
  /** The key as part of its column, or as a constraint of the table. */
  readonly inlineKey: boolean;
  /** Stands after the parenthesis of a table. */
  readonly tableOptions: string;
  /** The word of `ALTER TABLE`. */
  readonly addColumn: 'ADD' | 'ADD COLUMN';
  /** Whether one `ALTER TABLE` takes several of them. */
  readonly addsTogether: boolean;
  /** The time of the server, as a value for a column of kind `time`. */
  readonly now: string;
}
