import type BetterSqlite3 from 'better-sqlite3';

/**
 * Counts the rows that the user writes on a connection that is also the store's. The version of the file tells of other
 * connections only.
 */
export class UsersWrites {
  readonly #total: BetterSqlite3.Statement<[]>;
  /** All rows that were written on the connection, up to the latest look. */
  #seen: number;
  #count = 0;

  constructor(database: BetterSqlite3.Database) {
    this.#total = database.prepare<[]>('SELECT total_changes()').pluck(true);
    this.#seen = this.#read();
  }

  get count(): number {
    this.#note();
    return this.#count;
  }

  /** Runs something of the store's own, whose rows do not count. */
  without<T>(work: () => T): T {
    this.#note();
    try {
      return work();
    } finally {
      this.#seen = this.#read();
    }
  }

  #note(): void {
    const total = this.#read();
    this.#count += total - this.#seen;
    this.#seen = total;
  }

  #read(): number {
    return this.#total.get() as number;
  }
}
