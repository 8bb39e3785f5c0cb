import type { AliasedExpression, Expression, Kysely, RawBuilder, SqlBool } from 'kysely';
import type { JobRow, RecurringJobRow, Tables } from './schema/columns.js';

/** A column of `Jobs` or an expression under the name of one. */
type JobSelection = keyof JobRow | AliasedExpression<unknown, string>;

/** Where databases differ, for the operations that they share. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres' | 'mariadb';
  /** Writes statements in this dialect; it sends none. */
  readonly builder: Kysely<Tables>;
  /** The columns of a job, in the order of `JOB_COLUMNS`. */
  readonly selection: readonly JobSelection[];
  /** The server's time to the millisecond, in the form in which times are stored. */
  readonly now: RawBuilder<unknown>;
  /** The same, some milliseconds ago. */
  ago(milliseconds: number): RawBuilder<unknown>;
  /** A time in the form in which it is stored. */
  toTime(time: Date): string;
  /** A value for a column, in a place where the database could not tell its type from the column. */
  typed(column: string, value: string | number | null): RawBuilder<unknown>;
  /** A column of times as something that compares as a time, whoever wrote it. */
  instant(column: keyof JobRow | keyof RecurringJobRow): Expression<unknown>;
  /** A time as text, so that no driver makes something else of it. */
  asText(time: Expression<unknown>): RawBuilder<string>;
  /** The later of two times that are not null. */
  later(one: Expression<unknown>, other: Expression<unknown>): RawBuilder<unknown>;
  /** Whether a column has one of these values. One statement for any number of them, where the database can. */
  oneOf(column: string, values: readonly (string | number)[]): Expression<SqlBool>;
  /** Whether a job has one of these parents; by IX_Jobs_ParentJobId, whatever statistics say of it. */
  childOf(parents: readonly string[]): Expression<SqlBool>;
  /**
   * Whether a job is active and has one of these unique keys. A partial index is taken only where its condition is
   * repeated, as no database sees it in values. Index: IX_Monque_Jobs_ActiveKey.
   */
  holdsOneOf(hashes: readonly string[]): Expression<SqlBool>;
  /** Whether the job `Holder` is active and has the unique key of the job `Jobs`; by the same index. */
  readonly isHolder: Expression<SqlBool>;
  /**
   * Whether a row that is not stored, because its key is taken, locks the row that holds the key. Then keys are looked
   * at first: a claim passes over locked rows, and a job that is asked for again and again would never run.
   */
  readonly conflictsLock: boolean;
  /** Whether rows that are about to be written are locked as they are read. SQLite locks the whole file instead. */
  readonly locksRows: boolean;
  /** A statement that answers a row if any job waits for another. */
  readonly anyWaiting: string;
  /** The condition of IX_Monque_Jobs_Waiting, where the database has partial indexes: it cannot see it in values. */
  readonly isWaiting?: Expression<SqlBool>;
}
