/** A statement and its values. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Whether the server may keep it prepared: it has but one good plan, whatever the values and however full the table. */
  readonly isFixed?: boolean;
}

/** A row, its values in the order of the columns that were asked for. */
export type Row = readonly unknown[];

/** What a database answers. */
export interface Answer {
  readonly rows: readonly Row[];
  /** Rows that were written. */
  readonly affected: number;
}

/**
 * What is done to the database, as a sequence of statements: each `yield` sends one and gives its answer. Written
 * this way, SQLite runs it to its end without a break, so that nobody else's statements can come in between, while
 * the drivers of servers await each answer; and it can be begun again where the database says to try again.
 */
export type Operation<T> = Generator<Query, T, Answer>;

/** Sends one statement. */
export function* ask(query: Query): Operation<Answer> {
  return yield query;
}

/** Runs an operation without a break, on a connection that answers at once. */
export function runAtOnce<T>(operation: Operation<T>, send: (query: Query) => Answer): T {
  let step = operation.next();
  while (!step.done) {
    let answer: Answer;
    try {
      answer = send(step.value);
    } catch (error) {
      step = operation.throw(error);
      continue;
    }
    step = operation.next(answer);
  }
  return step.value;
}

/** Runs an operation on a connection whose answers take time. */
export async function runAwaiting<T>(
  operation: Operation<T>,
  send: (query: Query) => Promise<Answer>,
): Promise<T> {
  let step = operation.next();
  while (!step.done) {
    let answer: Answer;
    try {
      answer = await send(step.value);
    } catch (error) {
      step = operation.throw(error);
      continue;
    }
    step = operation.next(answer);
  }
  return step.value;
}
