import type { ObjectId } from 'mongodb';
import type { PersistedJob } from '../job/job.js';
import type { JobStatus } from '../job/status.js';

/** Which way a page lies from its cursor. */
export const CursorDirection = {
  /** After the cursor. */
  FORWARD: 'forward',
  /** Before the cursor. */
  BACKWARD: 'backward',
} as const;

/** Which way a page lies from its cursor. */
export type CursorDirection = (typeof CursorDirection)[keyof typeof CursorDirection];

/** What pages are sorted by. */
export const JobCursorSortField = {
  /** The id; on MongoDB about the order of creation. */
  IDENTIFIER: 'identifier',
  /** When the job was stored. */
  CREATED_AT: 'createdAt',
  /** When the job was last changed. */
  UPDATED_AT: 'updatedAt',
  /** When the job is due. */
  NEXT_RUN_AT: 'nextRunAt',
} as const;

/** What pages are sorted by. */
export type JobCursorSortField = (typeof JobCursorSortField)[keyof typeof JobCursorSortField];

/** Whether small or large values come first. */
export const JobCursorSortDirection = {
  /** Earliest, or smallest id, first. */
  ASC: 'asc',
  /** Latest, or largest id, first. */
  DESC: 'desc',
} as const;

/** Whether small or large values come first. */
export type JobCursorSortDirection = (typeof JobCursorSortDirection)[keyof typeof JobCursorSortDirection];

/** The order of the pages; ties are broken by id in the same direction. */
export interface JobCursorSort {
  /**
   * What to sort by.
   *
   * @defaultValue 'identifier'
   */
  by?: JobCursorSortField;
  /**
   * Whether small or large values come first.
   *
   * @defaultValue 'asc'
   */
  direction?: JobCursorSortDirection;
}

/** Which jobs are paged through. All ranges include their ends. */
export interface JobCursorFilter {
  /** Name of the jobs. */
  name?: string;
  /** Their status, or several of which they have one. */
  status?: JobStatus | readonly JobStatus[];
  /** Created at this time or later. */
  createdAtFrom?: Date;
  /** Created at this time or earlier. */
  createdAtTo?: Date;
  /** Changed at this time or later. */
  updatedAtFrom?: Date;
  /** Changed at this time or earlier. */
  updatedAtTo?: Date;
  /** Due at this time or later. */
  nextRunAtFrom?: Date;
  /** Due at this time or earlier. */
  nextRunAtTo?: Date;
}

/** Which page to read. */
export interface CursorOptions {
  /** The `cursor` of a page read before, with the same sort; without one, the first page (backward: the last). */
  cursor?: string | null;
  /**
   * Most jobs of the page, 1 to 1,000.
   *
   * @defaultValue 50
   */
  limit?: number;
  /**
   * Whether the page after the cursor is wanted, or the one before it. Either way the jobs come in the same order.
   *
   * @defaultValue 'forward'
   */
  direction?: CursorDirection;
  /** Which jobs are paged through. */
  filter?: JobCursorFilter;
  /** Their order. */
  sort?: JobCursorSort;
}

/** A page of jobs. */
export interface CursorPage<T = unknown, Id = ObjectId> {
  /** The jobs, in the order of the sort whichever way the page was reached. */
  jobs: PersistedJob<T, Id>[];
  /** Points at the page's last job; opaque. Null for an empty page. */
  cursor: string | null;
  /** Whether there are jobs after this page. */
  hasNextPage: boolean;
  /** Whether there are jobs before this page. */
  hasPreviousPage: boolean;
}
