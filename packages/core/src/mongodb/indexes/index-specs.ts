import type { Document } from 'mongodb';

/** An index that the store wants. */
export interface IndexSpec {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly partialFilterExpression?: Document;
}

/**
 * Jobs that occupy their unique key. A range instead of `$in`, which partial indexes take only from MongoDB 6.0 on: no
 * other status lies between these two, and the planner knows that a query for either is inside it.
 */
const ACTIVE = { $gte: 'pending', $lte: 'processing' };

/** The final statuses; `created`, which also lies in the range, does no harm here. */
const FINAL = { $gte: 'cancelled', $lte: 'failed' };

/** Any priority at all: an absent one is outside. */
export const ANY_PRIORITY = { $gte: Number.NEGATIVE_INFINITY };

/** The statuses in which a job waits for others; no other lies between these two. */
const WAITING = { $gte: 'awaiting-batch', $lte: 'awaiting-continuation' };

const PENDING = { status: 'pending' };
const PROCESSING = { status: 'processing' };

/**
 * Each index costs every write that touches its keys, so each is partial where all its queries allow: a finished
 * job is in `name,status` and in the three for paging only.
 */
export const INDEXES = {
  /** The specification's own claim and `getJobs` of pending jobs. */
  statusDue: { key: { status: 1, nextRunAt: 1 }, partialFilterExpression: PENDING },
  /** At most one active job per name and unique key. */
  uniqueKey: {
    key: { name: 1, uniqueKey: 1 },
    unique: true,
    partialFilterExpression: { uniqueKey: { $exists: true }, status: ACTIVE },
  },
  /** Counts, and selections by name or status. */
  nameStatus: { key: { name: 1, status: 1 } },
  /** What an instance holds: heartbeats, and whether its id is in use. */
  owner: { key: { claimedBy: 1, status: 1 }, partialFilterExpression: PROCESSING },
  /** For observation from outside. */
  heartbeat: { key: { lastHeartbeat: 1, status: 1 }, partialFilterExpression: PROCESSING },
  /** Recovery. */
  locked: { key: { lockedAt: 1, lastHeartbeat: 1, status: 1 }, partialFilterExpression: PROCESSING },
  /** Claims of jobs without a priority, nearly always all of them: those with one must not lie in between. */
  plainDue: {
    key: { name: 1, status: 1, nextRunAt: 1, claimedBy: 1 },
    partialFilterExpression: { ...PENDING, priority: null },
  },
  /** The due ones among jobs with a priority, and the next due. Costs nothing for jobs without. */
  priorityDue: {
    key: { name: 1, nextRunAt: 1 },
    partialFilterExpression: { ...PENDING, priority: ANY_PRIORITY },
  },
  /** The most urgent among many due jobs with a priority. Costs nothing for jobs without. */
  priorityRank: {
    key: { name: 1, priority: -1, nextRunAt: 1 },
    partialFilterExpression: { ...PENDING, priority: ANY_PRIORITY },
  },
  /** What follows a job. Costs nothing for jobs that follow none, as the next two. */
  children: {
    key: { parentJobId: 1, status: 1 },
    partialFilterExpression: { parentJobId: { $exists: true } },
  },
  /** Members of a batch and what follows it, counted by its keys alone. */
  batch: {
    key: { batchId: 1, status: 1, awaitsBatchId: 1 },
    partialFilterExpression: { batchId: { $exists: true } },
  },
  /** The sweep for jobs that wait in vain. */
  waiting: { key: { status: 1, _id: 1 }, partialFilterExpression: { status: WAITING } },
  /** Paging. */
  createdPage: { key: { createdAt: 1, _id: 1 } },
  updatedPage: { key: { updatedAt: 1, _id: 1 } },
  duePage: { key: { nextRunAt: 1, _id: 1 } },
} as const satisfies Record<string, IndexSpec>;

/** Removal of final jobs by age; wanted only where retention is set. */
export const RETENTION_INDEX: IndexSpec = {
  key: { status: 1, updatedAt: 1 },
  partialFilterExpression: { status: FINAL },
};

/** One of the indexes. */
export type IndexRole = keyof typeof INDEXES;
