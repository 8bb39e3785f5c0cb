import type { JobFilter } from '@monque/core';
import type { Dialect } from '../dialect.js';
import { ask, type Operation } from '../operation.js';
import { statesOf } from '../rows/job-states.js';
import { JobState } from '../schema/columns.js';

/**
 * Whether any job waits for another. Whenever jobs end, those that follow them are looked for, and mostly no job waits
 * at all: that is a short question without any ids. Where the latest look found some, it is not asked before the next.
 */
export class WaitingJobs {
  readonly #dialect: Dialect;
  #foundSome = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Whether a filter asks for jobs that wait for others of which the ids are known. */
  static isMeant({ parents, statuses }: JobFilter): boolean {
    return (
      parents !== undefined &&
      statuses !== undefined &&
      statesOf(statuses).every((state) => state >= JobState.awaitingContinuation)
    );
  }

  /** Answers false only if none waits. Index: IX_Monque_Jobs_Waiting; on MariaDB IX_Jobs_State. */
  *maybeAny(): Operation<boolean> {
    if (this.#foundSome) return true;
    const { rows } = yield* ask({ sql: this.#dialect.anyWaiting, parameters: [] });
    return rows.length > 0;
  }

  /** Takes note of whether a look found any. */
  found(some: boolean): void {
    this.#foundSome = some;
  }
}
