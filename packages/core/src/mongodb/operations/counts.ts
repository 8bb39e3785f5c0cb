import type { Document } from 'mongodb';
import { AggregationTimeoutError } from '../../errors/operation-errors.js';
import { JobStatus } from '../../job/status.js';
import { inChunks } from '../../store/in-chunks.js';
import type { StatusCounts, StatusCountsByName } from '../../store/query-types.js';
import { errorCode } from '../driver-errors.js';
import { hinting, type MongoContext } from '../mongo-context.js';
import { averageDuration, averageDurations } from './average-duration.js';

type ByStatus = Partial<Record<JobStatus, number>>;

/** Statistics must not occupy a server for longer than this. */
const MAX_TIME_MS = 30_000;
const MAX_TIME_MS_EXPIRED = 50;

/** Up to so many names, counting each status by itself is faster: a count of index keys takes a fifth of a group. */
const NAMES_COUNTED_SINGLY = 100;

/** Averages that are worked out at the same time. */
const AVERAGES_AT_ONCE = 4;

const STATUSES = Object.values(JobStatus);

/** Counts by status. Index: name_1_status_1, whose keys alone are read. */
export async function counts(context: MongoContext, name?: string): Promise<StatusCounts> {
  return withTimeout(async () => {
    const byName = await countNames(context, name);
    const total: ByStatus = {};
    for (const byStatus of byName.values()) {
      for (const status of STATUSES) {
        const count = byStatus[status];
        if (count !== undefined) total[status] = (total[status] ?? 0) + count;
      }
    }
    const completed = total.completed ?? 0;
    return statusCounts(total, await averageDuration(context, { name, completed, maxTimeMS: MAX_TIME_MS }));
  });
}

/**
 * Counts by name and status. Index: name_1_status_1, whose keys alone are read. Run times are those of the latest
 * completed jobs of all names, in one look; only names that have none among them take a look of their own.
 */
export async function countsByName(context: MongoContext): Promise<StatusCountsByName> {
  return withTimeout(async () => {
    const byName = await countNames(context);
    const completed = [...byName.values()].reduce((sum, byStatus) => sum + (byStatus.completed ?? 0), 0);
    const averages = await averageDurations(context, { completed, maxTimeMS: MAX_TIME_MS });
    const missing = [...byName].filter(([name, byStatus]) => byStatus.completed && !averages.has(name));
    for (const chunk of inChunks(missing, AVERAGES_AT_ONCE)) {
      await Promise.all(
        chunk.map(async ([name, { completed: ofName = 0 }]) => {
          const of = { name, completed: ofName, maxTimeMS: MAX_TIME_MS };
          const average = await averageDuration(context, of);
          if (average !== undefined) averages.set(name, average);
        }),
      );
    }
    return new Map(
      [...byName].map(([name, byStatus]) => [name, statusCounts(byStatus, averages.get(name))] as const),
    );
  });
}

async function countNames(context: MongoContext, name?: string): Promise<Map<string, ByStatus>> {
  const names = name === undefined ? await storedNames(context) : [name];
  if (names.length > NAMES_COUNTED_SINGLY) return countByGroups(context);
  const byName = new Map<string, ByStatus>();
  await Promise.all(names.map(async (one) => byName.set(one, await countStatuses(context, one))));
  return byName;
}

/** The server jumps from one name to the next. */
async function storedNames({ jobs }: MongoContext): Promise<string[]> {
  const names: unknown[] = await jobs.distinct('name', {}, { maxTimeMS: MAX_TIME_MS });
  return names.filter((name) => typeof name === 'string');
}

async function countStatuses(context: MongoContext, name: string): Promise<ByStatus> {
  const counted = await Promise.all(
    STATUSES.map((status) =>
      context.withIndexes((indexes) =>
        context.jobs.countDocuments(
          { name: { $eq: name }, status },
          { maxTimeMS: MAX_TIME_MS, ...hinting(indexes.nameStatus) },
        ),
      ),
    ),
  );
  const pairs = STATUSES.map((status, index) => [status, counted[index] ?? 0] as const);
  return Object.fromEntries(pairs.filter(([, count]) => count > 0));
}

async function countByGroups(context: MongoContext): Promise<Map<string, ByStatus>> {
  const groups = await context.withIndexes((indexes) =>
    context.jobs
      .aggregate<Document & { _id: { name: string; status: JobStatus }; count: number }>(
        [{ $group: { _id: { name: '$name', status: '$status' }, count: { $sum: 1 } } }],
        { maxTimeMS: MAX_TIME_MS, ...hinting(indexes.nameStatus) },
      )
      .toArray(),
  );
  const byName = new Map<string, ByStatus>();
  for (const { _id, count } of groups) {
    // Documents of others, which the counts of single statuses do not meet either.
    if (typeof _id.name !== 'string' || !STATUSES.includes(_id.status)) continue;
    const byStatus = byName.get(_id.name) ?? {};
    byStatus[_id.status] = count;
    byName.set(_id.name, byStatus);
  }
  return byName;
}

function statusCounts(byStatus: ByStatus, average: number | undefined): StatusCounts {
  return average === undefined ? { byStatus } : { byStatus, avgProcessingDurationMs: average };
}

async function withTimeout<T>(count: () => Promise<T>): Promise<T> {
  try {
    return await count();
  } catch (error) {
    if (errorCode(error) === MAX_TIME_MS_EXPIRED)
      throw new AggregationTimeoutError(undefined, { cause: error });
    throw error;
  }
}
