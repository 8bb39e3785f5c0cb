import type { ObjectId } from 'mongodb';
import { CHUNK } from '../engine/follow-up/follow-up-parts.js';
import type { PersistedJob } from '../job/job.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import { getJob } from '../manage/get-jobs.js';
import { checkInteger, checkKeys } from '../options/checks.js';
import { inChunks } from '../store/in-chunks.js';
import type { StoredJob } from '../store/query-types.js';

/** How much of a tree to read. */
export interface JobTreeOptions {
  /**
   * Most jobs to read, 1 to 10,000, level by level.
   *
   * @defaultValue 1,000
   */
  limit?: number;
}

/** A job with the jobs that follow it. */
export interface JobTreeNode<Id = ObjectId> {
  /** The job itself. */
  job: PersistedJob<unknown, Id>;
  /** What follows it, the oldest first. */
  children: JobTreeNode<Id>[];
}

/** A job with everything that follows from it. */
export interface JobTree<Id = ObjectId> extends JobTreeNode<Id> {
  /** How many jobs are in it, with the first. */
  total: number;
  /** Whether there are more than `limit` allowed to read. */
  truncated: boolean;
}

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;

/** Reads a job with its descendants, level by level; null where there is no such job. */
export async function getJobTree<Id>(
  store: OutsideStore<Id>,
  id: unknown,
  options: unknown,
): Promise<JobTree<Id> | null> {
  const given = checkKeys(options, ['limit'], 'tree options');
  const limit = checkInteger(given.limit ?? DEFAULT_LIMIT, 'limit', 1, MAX_LIMIT);
  const job = await getJob(store, id);
  if (job === null) return null;
  const root: JobTreeNode<Id> = { job, children: [] };
  let total = 1;
  let truncated = false;
  for (let level = [root]; level.length > 0 && !truncated; ) {
    const next: JobTreeNode<Id>[] = [];
    for (const chunk of inChunks(level, CHUNK)) {
      // One more than there is room for tells whether there are more.
      const children = await childrenOf(store, chunk, limit - total + 1);
      truncated = children.length > limit - total;
      for (const child of children.slice(0, limit - total)) next.push(attach(chunk, child));
      total = Math.min(limit, total + children.length);
      if (truncated) break;
    }
    level = next;
  }
  return { ...root, total, truncated };
}

function childrenOf<Id>(
  store: OutsideStore<Id>,
  parents: readonly JobTreeNode<Id>[],
  limit: number,
): Promise<StoredJob<Id>[]> {
  const filter = { parents: parents.map(({ job }) => job._id) };
  return store.page({ filter, by: 'id', direction: 'asc', limit });
}

function attach<Id>(parents: readonly JobTreeNode<Id>[], job: StoredJob<Id>): JobTreeNode<Id> {
  const node: JobTreeNode<Id> = { job, children: [] };
  parents.find((parent) => String(parent.job._id) === String(job.parentJobId))?.children.push(node);
  return node;
}
