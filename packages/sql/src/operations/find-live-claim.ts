import type { StoredJob } from '@monque/core';
import type { SqlContext } from '../context.js';
import type { Operation } from '../operation.js';
import { JobState } from '../schema/columns.js';
import { jobs } from './conditions.js';
import { readJobs, selectJobs } from './read-jobs.js';

/**
 * A job that this owner holds and has renewed since: then a live process uses the owner's id.
 * Index: IX_Jobs_State.
 */
export function* findLiveClaim(
  context: SqlContext,
  owner: string,
  since: Date,
): Operation<StoredJob<string> | undefined> {
  const { dialect } = context;
  const lastSign = jobs.fn.coalesce('LastHeartbeat', 'LockedAt');
  const query = selectJobs(context)
    .where('State', '=', JobState.processing)
    .where('ClaimedBy', '=', owner)
    .where(jobs(lastSign, '>=', dialect.toTime(since)))
    .limit(1);
  const [job] = yield* readJobs(context, query);
  return job;
}
