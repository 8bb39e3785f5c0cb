import type { ObjectId } from 'mongodb';
import type { JobDefinition } from '../job/definition.js';
import type { JobStatus } from '../job/status.js';
import type { Misfire } from '../store/recurring-types.js';

/**
 * What a recurring template is made of.
 *
 * @example
 * ```ts
 * import type { RecurringOptions } from '@monque/core';
 *
 * const nightly: RecurringOptions = {
 *   cron: '30 2 * * *',
 *   timezone: 'Europe/Berlin',
 *   name: 'import-orders',
 *   data: { source: 'warehouse' },
 *   misfire: 'skip',
 * };
 * ```
 */
export interface RecurringOptions {
  /**
   * When it fires: five fields, or six with seconds before them, or a predefined name such as `@daily`. At most 100
   * characters.
   */
  cron: string;
  /** Name or definition of the jobs that it makes. Of a definition the name, the schema and `maxRetries` count. */
  name: string | JobDefinition;
  /**
   * Payload of the jobs; with a definition, what that says.
   *
   * @defaultValue null
   */
  data?: unknown;
  /**
   * Time zone in which the cron text is read, such as `Europe/Berlin`.
   *
   * @defaultValue the instance's `timezone`
   */
  timezone?: string;
  /**
   * Attempts of each job; 0 and 1 both mean that the first failure is final.
   *
   * @defaultValue the definition's own, or the instance's `maxRetries`
   */
  maxRetries?: number;
  /**
   * Whether it fires.
   *
   * @defaultValue true for a new one; otherwise as it is, so that a deployment resumes nothing that somebody has paused
   */
  enabled?: boolean;
  /**
   * What becomes of times that passed while no process ran, and that are more than ten seconds old. `skip`: nothing.
   * `once`: one job for all of them. `all`: one job for each, the latest 1,000 at most.
   *
   * @defaultValue 'once'
   */
  misfire?: Misfire;
}

/** {@link RecurringOptions} whose payload is what their definition says. */
export type DefinedRecurringOptions<Input> = RecurringOptions & {
  name: JobDefinition<Input, unknown, unknown>;
} & (undefined extends Input ? { data?: Input } : { data: Input });

/**
 * A recurring template as it is stored.
 *
 * @typeParam T - The payload.
 */
export interface RecurringTemplate<T = unknown> {
  /** The given id. */
  id: string;
  /** When it fires. */
  cron: string;
  /** Time zone of `cron`. */
  timezone: string;
  /** Name of the jobs that it makes. */
  name: string;
  /** Their payload. */
  data: T;
  /** Their attempts, where they differ from the instance's own. */
  maxRetries?: number;
  /** What becomes of times that passed while nothing ran. */
  misfire: Misfire;
  /** Whether it fires. */
  enabled: boolean;
  /** When it fires next; of a paused one, when it would have. Absent until a process has computed it. */
  nextExecution?: Date;
  /** The time of the latest job that it made. */
  lastExecution?: Date;
  /** When it was stored. */
  createdAt: Date;
  /** When somebody last changed it; firing does not count. */
  updatedAt: Date;
}

/**
 * A recurring template, what comes next and how its latest job ended.
 *
 * @typeParam Id - The store's own kind of id: an `ObjectId` on MongoDB, a string elsewhere.
 */
export interface RecurringSummary<Id = ObjectId> extends RecurringTemplate {
  /** The next five times; none where it is paused, or where its cron text or zone cannot be used. */
  nextTimes: Date[];
  /** The latest job that it made; absent where there is none, or where it has been removed. */
  lastJob?: {
    id: Id;
    status: JobStatus;
    /** Message of its last failure. */
    failReason?: string;
  };
}
