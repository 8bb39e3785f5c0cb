import type { PersistedJob } from '../job/job.js';
import type { JobStatus } from '../job/status.js';

/** A job as a store holds it; the payload's type is the caller's business. */
export type StoredJob<Id = unknown> = PersistedJob<unknown, Id>;

/** An inclusive range of times; an absent end is open. */
export interface TimeRange {
  readonly from?: Date;
  readonly to?: Date;
  /** Whether jobs without that time, which others wrote, are meant too. Otherwise they are in no range. */
  readonly orAbsent?: true;
}

/**
 * Which jobs are meant. Built from checked input only: strings are strings and dates are dates, so that
 * nothing a user sends can act as a query operator. An empty filter means all jobs.
 */
export interface JobFilter {
  readonly name?: string;
  readonly uniqueKey?: string;
  readonly statuses?: readonly JobStatus[];
  /** Jobs with one of these ids. */
  readonly ids?: readonly unknown[];
  /** Jobs that follow one of these. */
  readonly parents?: readonly unknown[];
  /** Members of this batch; what follows it is none. */
  readonly memberOf?: string;
  /** Jobs that follow this batch. */
  readonly awaitsBatch?: string;
  /** Waiting jobs that this fill of a batch has stored and not released yet; null for waiting jobs of no fill. */
  readonly fill?: string | null;
  /** Whether jobs are meant that never ran because what they were to follow ended in the wrong way, or only others. */
  readonly forgone?: boolean;
  /** Leaves out what another program keeps in the same place and no option maps to a job; MongoDB has nothing of that kind. */
  readonly ours?: true;
  readonly createdAt?: TimeRange;
  readonly updatedAt?: TimeRange;
  readonly nextRunAt?: TimeRange;
}

/** What pages are ordered by; ties are broken by id. */
export type PageKey = 'id' | 'createdAt' | 'updatedAt' | 'nextRunAt';

/** A place between jobs. `key` is null for a job that lacks the field, which sorts first; unused for `id`. */
export interface PagePosition<Id> {
  readonly key: Date | null;
  readonly id: Id;
}

/** A page of jobs. */
export interface JobPageRequest<Id> {
  readonly filter: JobFilter;
  readonly by: PageKey;
  readonly direction: 'asc' | 'desc';
  /** Only jobs that come after this place in the given direction. */
  readonly after?: PagePosition<Id>;
  readonly skip?: number;
  readonly limit: number;
  /** Leaves out `data`, `result` and `progress`, which may be large, for callers that do not look at them. */
  readonly light?: true;
}

/** Counts by status; statuses without jobs may be absent. */
export interface StatusCounts {
  readonly byStatus: Readonly<Partial<Record<JobStatus, number>>>;
  /** Mean run time in milliseconds of the latest 10,000 completed jobs; absent without any. */
  readonly avgProcessingDurationMs?: number;
}

/** Counts of every stored name. */
export type StatusCountsByName = ReadonlyMap<string, StatusCounts>;
