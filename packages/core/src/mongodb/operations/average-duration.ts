import type { Document } from 'mongodb';
import { hinting, type MongoContext } from '../mongo-context.js';

/** The latest completed jobs that count. */
const SAMPLE = 10_000;

/** Up to so many completed jobs it is cheaper to read them all than to look for them among newer ones. */
const READ_ALL = 50_000;

/** Whose run times, and how many completed jobs there are of them. */
interface Sampled {
  /** Of all names where absent. */
  readonly name?: string | undefined;
  readonly completed: number;
  readonly maxTimeMS: number;
}

/** A mean; null where no document has the times that it takes. */
interface Mean {
  readonly _id: string | null;
  readonly average: number | null;
}

/** Mean run time of the latest completed jobs in milliseconds; for those without run times, their time in the queue. */
export async function averageDuration(context: MongoContext, of: Sampled): Promise<number | undefined> {
  const [answer] = await means(context, of, null);
  return answer?.average ?? undefined;
}

/** The same for each name that has any among the latest completed jobs of all. */
export async function averageDurations(context: MongoContext, of: Sampled): Promise<Map<string, number>> {
  const answers = await means(context, of, '$name');
  return new Map(
    answers.flatMap(({ _id, average }) => (_id === null || average === null ? [] : [[_id, average]])),
  );
}

/** Index: name_1_status_1 for few completed jobs, updatedAt_1__id_1 backwards for many. */
async function means(
  context: MongoContext,
  { name, completed, maxTimeMS }: Sampled,
  by: '$name' | null,
): Promise<Mean[]> {
  if (completed === 0) return [];
  const pipeline: Document[] = [
    { $match: { name: name === undefined ? { $gte: '' } : { $eq: name }, status: 'completed' } },
    // All of them are in the sample anyway where they are no more than it takes.
    ...(completed <= SAMPLE ? [] : [{ $sort: { updatedAt: -1, _id: -1 } }, { $limit: SAMPLE }]),
    { $group: { _id: by, average: { $avg: DURATION } } },
  ];
  return context.withIndexes((indexes) =>
    context.jobs
      .aggregate<Mean>(pipeline, {
        maxTimeMS,
        ...hinting(completed <= READ_ALL ? indexes.nameStatus : indexes.updatedPage),
      })
      .toArray(),
  );
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
