import type { JobContext } from '../../job/handler.js';
import { JobStatus } from '../../job/status.js';
import { toError } from '../../job/thrown.js';
import type { StoredJob } from '../../store/query-types.js';
import { sumOf, toBatchCounts } from '../../workflow/batch.js';
import type { EngineParts } from '../engine-types.js';
import { GrowingDelay } from '../timing/growing-delay.js';
import type { Run } from './run.js';

/** What a job follows, for its handler. */
export type Followed = Pick<JobContext<unknown>, 'parent' | 'batch'>;

const NOTHING: Followed = {};

/** Whether a job was waiting for others. */
export function followsOthers({ parentJobId, awaitsBatchId }: StoredJob): boolean {
  return parentJobId !== undefined || awaitsBatchId !== undefined;
}

/**
 * Reads what a job follows. An outage must not count as a failed attempt: it is waited for, as long as anybody is
 * interested in the run.
 */
export async function readFollowed(run: Run, parts: EngineParts): Promise<Followed> {
  if (!followsOthers(run.job)) return NOTHING;
  const delay = new GrowingDelay(parts.host);
  for (;;) {
    try {
      return await read(run.job, parts);
    } catch (thrown) {
      if (run.over || run.interrupted) throw thrown;
      parts.emit('job:error', { error: toError(thrown), job: run.job });
      await delay.wait();
    }
  }
}

async function read({ parentJobId, awaitsBatchId }: StoredJob, { store }: EngineParts): Promise<Followed> {
  if (awaitsBatchId !== undefined) {
    const members = (await store.batches.counts([awaitsBatchId])).get(awaitsBatchId) ?? {};
    const total = sumOf(members, Object.values(JobStatus));
    return { batch: { id: awaitsBatchId, total, counts: toBatchCounts(members) } };
  }
  const [parent] = await store.get([parentJobId]);
  if (parent === undefined) return NOTHING;
  const { _id, status, result, failReason } = parent;
  return {
    parent: {
      id: _id,
      status,
      ...(result !== undefined && { result }),
      ...(failReason !== undefined && { failReason }),
    },
  };
}
