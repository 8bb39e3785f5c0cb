import type { Filter, Sort } from 'mongodb';
import { inChunks } from '../../store/in-chunks.js';
import type { DueAnswer, LowWaterMark } from '../../store/low-water-mark.js';
import type { JobDocument } from '../documents/job-document.js';
import { ANY_PRIORITY, type IndexRole } from '../indexes/index-specs.js';
import { hinting, type MongoContext } from '../mongo-context.js';
import { byUrgency } from './claim-quota.js';
import type { Contention } from './contention.js';
import type { SharedScan } from './shared-scan.js';

/** Due jobs of some names, the most urgent first. */
export type DueQuery = (names: readonly string[], limit: number) => Promise<JobDocument[]>;

/** The three kinds of due jobs; together they are all of them. */
export interface DueQueries {
  /** Jobs without a priority, nearly always all of them. */
  readonly plain: DueQuery;
  /** Jobs with any priority, those due for the longest first: cheap whatever waits for later. */
  readonly anyPriority: DueQuery;
  /** Jobs above those without a priority. */
  readonly above: DueQuery;
  /** Jobs with a priority that is not above. */
  readonly below: DueQuery;
}

/**
 * Names in one query. The server merges one index scan per name in the order of the sort, and reads no more
 * than it returns; beyond 200 scans it would read and sort every due job instead.
 */
export const NAMES_PER_QUERY = 200;

/** Where a look at due jobs begins. */
interface Begin {
  /** The earliest time to look at. */
  readonly from?: Date | undefined;
  /** Jobs to pass over. */
  readonly skip?: number;
}

/** What earlier looks have shown. */
export interface Experience {
  readonly mark: LowWaterMark;
  readonly contention: Contention;
  readonly shared: SharedScan;
}

/**
 * The queries for what is due. Each keeps to one index and names it:
 * - plain: name_1_status_1_nextRunAt_1_claimedBy_1, which holds jobs without a priority only; of many names
 *   status_1_nextRunAt_1 first, which holds all that is due
 * - anyPriority: name_1_nextRunAt_1, partial: jobs with a priority
 * - above, below: name_1_priority_-1_nextRunAt_1, partial likewise. The server jumps over the future jobs of
 *   each priority with one seek.
 */
export function dueQueries(
  context: MongoContext,
  now: Date,
  { mark, contention, shared }: Experience,
): DueQueries {
  const query =
    (role: IndexRole, priority: Filter<JobDocument>, sort: Sort, { from, skip = 0 }: Begin = {}): DueQuery =>
    async (names, limit) => {
      const parts = await Promise.all(
        inChunks(names, NAMES_PER_QUERY).map((chunk) =>
          context.withIndexes((indexes) =>
            context.jobs
              .find(
                { name: { $in: chunk }, ...dueBy(now, from), ...priority },
                { sort, skip, limit, ...oneBatch(limit), ...hinting(indexes[role]) },
              )
              .toArray(),
          ),
        ),
      );
      return parts.length === 1 ? parts.flat() : parts.flat().sort(byUrgency).slice(0, limit);
    };
  /** Undefined where it does not tell. */
  const scanAll = async (names: readonly string[], limit: number, { from, skip = 0 }: Begin) => {
    if (!shared.isDue(names)) return undefined;
    const documents = await context.withIndexes(async ({ statusDue }) =>
      statusDue === undefined
        ? undefined
        : context.jobs
            .find(dueBy(now, from), {
              sort: { nextRunAt: 1 },
              skip,
              limit,
              ...oneBatch(limit),
              ...hinting(statusDue),
            })
            .toArray(),
    );
    return documents && shared.choose(documents, names, limit);
  };
  const lookForPlain: DueQuery = async (names, limit) => {
    const begin = async (at: Begin) =>
      (await scanAll(names, limit, at)) ??
      query('plainDue', { priority: null }, { nextRunAt: 1 }, at)(names, limit);
    const from = mark.from(names, now);
    const skip = contention.offset(limit);
    if (skip > 0) {
      const further = await begin({ from, skip });
      if (further.length >= limit) return further;
    }
    if (from !== undefined) {
      const behind = await begin({ from });
      if (behind.length >= limit) {
        mark.note(names, answerOf(behind, true));
        return behind;
      }
    }
    const documents = await begin({});
    mark.note(names, answerOf(documents, documents.length >= limit));
    mark.lookedBack(names, now);
    return documents;
  };
  const ranked = query('priorityDue', { priority: ANY_PRIORITY }, { nextRunAt: 1 });
  return {
    plain: async (names, limit) => {
      const documents = await lookForPlain(names, limit);
      shared.note(documents.length >= limit);
      return documents;
    },
    // Many names are not looked through where nobody uses priorities.
    anyPriority: async (names, limit) => {
      if (shared.isQuestionDue(names)) {
        const isAny = await mayBeRanked(context);
        shared.answered(isAny);
        if (!isAny) return [];
      }
      return ranked(names, limit);
    },
    above: query('priorityRank', { priority: { $gt: 0 } }, { priority: -1, nextRunAt: 1 }),
    below: query(
      'priorityRank',
      { priority: { $gte: Number.NEGATIVE_INFINITY, $lte: 0 } },
      { priority: -1, nextRunAt: 1 },
    ),
  };
}

/** The specification's own condition of a claim. */
function dueBy(now: Date, from: Date | undefined): Filter<JobDocument> {
  const nextRunAt = from === undefined ? { $lte: now } : { $gte: from, $lte: now };
  return { status: 'pending', nextRunAt, claimedBy: null };
}

/** Whether any job with a priority may be pending, due or not. Index: name_1_nextRunAt_1, its first key. */
async function mayBeRanked(context: MongoContext): Promise<boolean> {
  return context.withIndexes(async ({ priorityDue }) => {
    if (priorityDue === undefined) return true;
    const any = { status: 'pending', priority: ANY_PRIORITY } as const;
    const options = { projection: { _id: 1 }, ...hinting(priorityDue) };
    return (await context.jobs.findOne(any, options)) !== null;
  });
}

function answerOf(documents: readonly JobDocument[], isFull: boolean): DueAnswer {
  return { count: documents.length, earliest: documents[0]?.nextRunAt, isFull };
}

/** Everything in the first answer: a second round trip would cost more than the jobs. */
function oneBatch(limit: number): { batchSize: number } {
  return { batchSize: limit + 1 };
}
