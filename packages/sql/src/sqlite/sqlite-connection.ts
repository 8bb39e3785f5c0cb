import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../database.js';
import { type Answer, type Operation, type Query, runAtOnce } from '../operation.js';
import { LoopTurns } from './loop-turns.js';
import { ConnectionInUse, retryBusy } from './retry-busy.js';
import { UsersWrites } from './users-writes.js';

/** Statements that are kept ready. Those with lists of values in their text come in many forms. */
const MOST_STATEMENTS = 500;

type Statement = BetterSqlite3.Statement<unknown[]>;

/** One connection. Each operation runs to its end without a break, so that no two ever come between each other. */
export class SqliteConnection implements Database {
  /** Each write by itself would be a transaction of its own, and wait for the disk. */
  readonly needsTransactions = true;
  readonly database: BetterSqlite3.Database;
  /** What the user writes on it; absent where nobody else has it. */
  readonly usersWrites: UsersWrites | undefined;
  readonly #turns = new LoopTurns();
  readonly #statements = new Map<string, Statement>();
  /** What is to happen once the transaction under way has been committed. */
  readonly #afterCommit: (() => void)[] = [];

  /** @param isShared - Whether its user has it too. */
  constructor(database: BetterSqlite3.Database, isShared = false) {
    this.database = database;
    this.usersWrites = isShared ? new UsersWrites(database) : undefined;
  }

  run<T>(operation: () => Operation<T>): Promise<T> {
    return this.#inTurn(() => {
      this.#requireIdle();
      const value = runAtOnce(operation(), this.send);
      this.#committed();
      return value;
    });
  }

  transact<T>(operation: () => Operation<T>): Promise<T> {
    return this.#inTurn(() => {
      this.#requireIdle();
      this.#statement('BEGIN IMMEDIATE').run();
      try {
        const value = runAtOnce(operation(), this.send);
        this.#statement('COMMIT').run();
        this.#committed();
        return value;
      } catch (error) {
        this.#afterCommit.length = 0;
        if (this.database.inTransaction) this.#statement('ROLLBACK').run();
        throw error;
      }
    });
  }

  /** Resolves when the connection is in no transaction of its user's any more. */
  untilIdle(): Promise<void> {
    return this.run(nothing);
  }

  /** Lets something happen once what is being written can be seen by others. */
  afterCommit(action: () => void): void {
    this.#afterCommit.push(action);
  }

  /** Sends one statement. */
  readonly send = ({ sql, parameters }: Query): Answer => {
    const statement = this.#statement(sql);
    if (statement.reader) return { rows: statement.all(...parameters) as Answer['rows'], affected: 0 };
    return { rows: NO_ROWS, affected: statement.run(...parameters).changes };
  };

  #inTurn<T>(work: () => T): Promise<T> {
    const { usersWrites } = this;
    const own = usersWrites === undefined ? work : () => usersWrites.without(work);
    const attempt = () => retryBusy(() => this.#turns.measure(own));
    return this.#turns.isDue ? this.#turns.wait().then(attempt) : attempt();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
      statement = this.database.prepare<unknown[]>(sql);
      if (statement.reader) statement.raw(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #requireIdle(): void {
    if (this.database.inTransaction) throw new ConnectionInUse();
  }

  #committed(): void {
    for (const action of this.#afterCommit.splice(0)) action();
  }
}

function* nothing(): Operation<void> {}

const NO_ROWS: Answer['rows'] = [];
