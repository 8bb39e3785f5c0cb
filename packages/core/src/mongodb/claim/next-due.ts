import type { Filter } from 'mongodb';
import { inChunks } from '../../store/in-chunks.js';
import type { JobDocument } from '../documents/job-document.js';
import { ANY_PRIORITY, type IndexRole } from '../indexes/index-specs.js';
import { hinting, type MongoContext } from '../mongo-context.js';
import { NAMES_PER_QUERY } from './due-queries.js';

/**
 * When the next pending job becomes due. One key per name is read: the server merges the scans of all names.
 * Index: name_1_status_1_nextRunAt_1_claimedBy_1 for jobs without a priority, name_1_nextRunAt_1 for the others.
 */
export async function nextDueAt(
  context: MongoContext,
  names: readonly string[],
  after: Date,
): Promise<Date | undefined> {
  const answers = await Promise.all(
    inChunks(names, NAMES_PER_QUERY).flatMap((chunk) => [
      earliest(context, 'plainDue', chunk, { priority: null }, after),
      earliest(context, 'priorityDue', chunk, { priority: ANY_PRIORITY }, after),
    ]),
  );
  const times = answers.filter((time) => time !== undefined);
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())));
}

async function earliest(
  context: MongoContext,
  role: IndexRole,
  names: string[],
  priority: Filter<JobDocument>,
  after: Date,
): Promise<Date | undefined> {
  const [job] = await context.withIndexes((indexes) =>
    context.jobs
      .find(
        // The bound also keeps the scan off the keys of what was claimed a moment ago; see low-water-mark.ts.
        { name: { $in: names }, status: 'pending', nextRunAt: { $gt: after }, ...priority },
        {
          projection: { nextRunAt: 1 },
          sort: { nextRunAt: 1 },
          limit: 1,
          ...hinting(indexes[role]),
        },
      )
      .toArray(),
  );
  return job?.nextRunAt;
}
