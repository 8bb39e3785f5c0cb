import Database from 'better-sqlite3';

/**
 * A database in memory that remembers the statements that are sent to it, and their values apart from them: written into
 * the text, values would show SQLite more than it gets to see.
 */
export class RecordedSqlite {
  readonly database = new Database(':memory:');
  readonly #prepare = this.database.prepare.bind(this.database);
  readonly #sent: { readonly sql: string; readonly values: readonly unknown[] }[] = [];

  constructor() {
    this.database.prepare = ((sql: string) => {
      const statement = this.#prepare(sql);
      const [all, run] = [statement.all, statement.run];
      statement.all = (...values) => {
        this.#sent.push({ sql, values });
        return all.apply(statement, values);
      };
      statement.run = (...values) => {
        this.#sent.push({ sql, values });
        return run.apply(statement, values);
      };
      return statement;
    }) as Database.Database['prepare'];
  }

  /** Forgets what was sent. */
  forget(): void {
    this.#sent.length = 0;
  }

  /** How SQLite goes about each of the statements that were sent since the last call and that read jobs. */
  plans(): string[][] {
    return this.#sent
      .splice(0)
      .filter(({ sql }) => /FROM "?Jobs|UPDATE "?Jobs/i.test(sql))
      .map(({ sql, values }) =>
        (this.#prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]).map(
          ({ detail }) => detail,
        ),
      );
  }
}
