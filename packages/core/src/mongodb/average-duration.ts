import type { Document } from 'mongodb';
import { hinting, type MongoContext } from './mongo-context.js';

/** The latest completed jobs that count. */
const SAMPLE = 10_000;

/** Up to so many completed jobs it is cheaper to read them all than to look for them among newer ones. */
const READ_ALL = 50_000;

/**
 * Mean run time of the latest completed jobs in milliseconds; for those without run times, their time in the queue.
 *
 * Index: name_1_status_1 for few completed jobs, updatedAt_1__id_1 backwards for many.
 */
export async function averageDuration(
  context: MongoContext,
  completed: number,
  name: string | undefined,
  maxTimeMS: number,
): Promise<number | undefined> {
  if (completed === 0) return undefined;
  const isFew = completed <= READ_ALL;
  const pipeline: Document[] = [
    { $match: { name: name === undefined ? { $gte: '' } : { $eq: name }, status: 'completed' } },
    // All of them are in the sample anyway where they are no more than it takes.
    ...(completed <= SAMPLE ? [] : [{ $sort: { updatedAt: -1, _id: -1 } }, { $limit: SAMPLE }]),
    { $group: { _id: null, average: { $avg: DURATION } } },
  ];
  const [answer] = await context.withIndexes((indexes) =>
    context.jobs
      .aggregate<{ average: number | null }>(pipeline, {
        maxTimeMS,
        ...hinting(isFew ? indexes.nameStatus : indexes.updatedPage),
      })
      .toArray(),
  );
  return answer?.average ?? undefined;
}

const DURATION = {
  $cond: [
    areDates('$executedAt', '$finishedAt'),
    { $subtract: ['$finishedAt', '$executedAt'] },
    // Documents of others may hold anything here; null does not count.
    { $cond: [areDates('$createdAt', '$updatedAt'), { $subtract: ['$updatedAt', '$createdAt'] }, null] },
  ],
};

function areDates(...fields: readonly string[]): Document {
  return { $and: fields.map((field) => ({ $eq: [{ $type: field }, 'date'] })) };
}
