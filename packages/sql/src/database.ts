import type { Operation } from './operation.js';

/** Runs operations on a database. Both begin an operation again where the database says that it should be. */
export interface Database {
  /** Whether several writes cost more by themselves than in a transaction, even where nothing else asks for one. */
  readonly needsTransactions: boolean;
  /** Runs an operation that writes nothing, or whose writes need not take effect together. */
  run<T>(operation: () => Operation<T>): Promise<T>;
  /** Runs an operation as one transaction. */
  transact<T>(operation: () => Operation<T>): Promise<T>;
}
