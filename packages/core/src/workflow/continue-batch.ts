import { resolveWaiting } from '../engine/follow-up/resolve-waiting.js';
import { checkJobInput, type JobTarget } from '../intake/check-job-input.js';
import { insertOne } from '../intake/enqueue.js';
import { continueOn } from '../intake/parents.js';
import type { StoredJob } from '../store/query-types.js';
import { findBatch } from './batch-input.js';
import type { WorkflowParts } from './workflow-parts.js';

/** Stores a job that follows a batch; it waits, unless that is complete. */
export async function continueBatchWith<Id>(
  parts: WorkflowParts<Id>,
  batchId: unknown,
  target: JobTarget,
  data: unknown,
  options: unknown,
): Promise<StoredJob<Id>> {
  const { followUps, store } = parts;
  const input = await checkJobInput(parts, target, data, options, 'continue');
  const { id } = await findBatch(followUps.batches, batchId);
  const links = {
    status: 'awaiting-batch',
    batchId: id,
    awaitsBatchId: id,
    ...continueOn(input.options.on),
  } as const;
  const job = await insertOne(parts, { ...input, links });
  // The batch may have become complete a moment ago, when nobody waited for it yet.
  await resolveWaiting(followUps, [job]);
  const [now] = await store.get([job._id]);
  if (now === undefined) await findBatch(followUps.batches, id);
  return now ?? job;
}
