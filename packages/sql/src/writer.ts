import type { NewRow } from './insert/new-row.js';
import type { Operation } from './operation.js';
import type { OutcomeRow, OutcomeType } from './settle/outcome-rows.js';

/** The writes that carry the load: each database has its own fastest way. */
export interface Writer {
  /**
   * Stores rows, and tells who waits for them. One whose id exists already, or whose unique key is taken, is left out.
   * Answers the ids of those that were stored now.
   */
  insert(rows: readonly NewRow[]): Operation<ReadonlySet<string>>;
  /** Writes outcomes of one type to the rows whose claims still hold; answers how many did. Index: PK_Jobs. */
  settle(type: OutcomeType, rows: readonly OutcomeRow[], at: Date): Operation<number>;
}
