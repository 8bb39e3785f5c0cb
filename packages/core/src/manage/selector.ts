import { InvalidSelectorError } from '../errors/input-errors.js';
import type { JobStatus } from '../job/status.js';
import type { JobFilter, TimeRange } from '../store/query-types.js';
import { readDate, readName, readQuery, readStatuses } from './query-input.js';

/**
 * Which jobs a bulk call means. Jobs must meet everything that is given; an empty selector means all jobs, and a key
 * that is there and undefined is refused.
 *
 * @example
 * ```ts
 * import type { JobSelector } from '@monque/core';
 *
 * const oldFailures: JobSelector = {
 *   name: 'send-email',
 *   status: 'failed',
 *   olderThan: new Date(Date.now() - 7 * 24 * 60 * 60 * 1000),
 * };
 * ```
 */
export interface JobSelector {
  /** Name of the jobs. */
  name?: string;
  /** Their status, or several of which they have one. */
  status?: JobStatus | readonly JobStatus[];
  /** Created before this time. */
  olderThan?: Date;
  /** Created after this time. */
  newerThan?: Date;
}

const WHAT = 'selector';

/** Checks a selector. Only what is built here reaches a store, so nothing in it can act as an operator. */
export function parseSelector(selector: unknown): JobFilter {
  const given = readQuery(selector, WHAT, ['name', 'status', 'olderThan', 'newerThan']);
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) continue;
    // A value that went missing on its way here would widen the selection, in the end to all jobs.
    throw new InvalidSelectorError(`${key} in the ${WHAT} is undefined. Give it a value, or leave it out`);
  }
  const { name, status, olderThan, newerThan } = given;
  // The port's ranges include their ends, and times are whole milliseconds.
  const createdAt: TimeRange = {
    ...(newerThan !== undefined && { from: shifted(readDate(newerThan, 'newerThan', WHAT), 1) }),
    ...(olderThan !== undefined && { to: shifted(readDate(olderThan, 'olderThan', WHAT), -1) }),
  };
  return {
    ...(name !== undefined && { name: readName(name, WHAT) }),
    ...(status !== undefined && { statuses: readStatuses(status, WHAT) }),
    ...((createdAt.from !== undefined || createdAt.to !== undefined) && { createdAt }),
  };
}

/** At either end of the calendar there is nothing to shift to. */
function shifted(date: Date, ms: number): Date {
  const moved = new Date(date.getTime() + ms);
  return Number.isNaN(moved.getTime()) ? date : moved;
}
