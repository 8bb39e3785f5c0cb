import { completeBatch } from '../engine/follow-up/complete-batch.js';
import { finishFill } from '../engine/follow-up/fills.js';
import { updateBatch } from '../engine/follow-up/update-batch.js';
import { waitAgain } from '../engine/follow-up/wait-again.js';
import { JobStatus } from '../job/status.js';
import { readCancelOptions } from '../manage/job-actions.js';
import type { Batch } from './batch.js';
import { readBatch } from './batch-input.js';
import { getBatch } from './read-batches.js';
import type { WorkflowParts } from './workflow-parts.js';

/** Cancels what is not final of a batch, which then is complete unless members run. Answers it as it is now. */
export async function cancelBatch<Id>(
  parts: WorkflowParts<Id>,
  id: unknown,
  options: unknown,
): Promise<Batch | null> {
  const { followUps, bulk } = parts;
  const running = readCancelOptions(options);
  const record = await readBatch(followUps.batches, id);
  if (record === undefined) return null;
  // Members that are stored for good and not released yet would run after all.
  for (const { token, state } of record.fills) {
    if (state === 'committed') await finishFill(followUps, record.id, token);
  }
  await bulk.cancelWhere({ memberOf: record.id }, running);
  await completeBatch(followUps, record.id);
  return getBatch(followUps.batches, record.id);
}

/**
 * Lets the failed members of a batch run again, which makes it open again; what was not to follow its failure waits again.
 * A fill without members keeps it from being found complete meanwhile: should this process die, the sweep of another one
 * ends the fill, and looks again. Answers the batch as it is now.
 */
export async function retryBatch<Id>(parts: WorkflowParts<Id>, id: unknown): Promise<Batch | null> {
  const { followUps, bulk, clock, host } = parts;
  const record = await readBatch(followUps.batches, id);
  if (record === undefined) return null;
  const counts = await followUps.batches.counts([record.id]);
  if ((counts.get(record.id)?.[JobStatus.FAILED] ?? 0) > 0) {
    const token = host.uniqueText();
    const followed = { batch: record.id };
    // First, so that a crash leaves jobs that wait for a batch that is complete, which the sweep sees.
    await waitAgain(followUps, followed);
    await updateBatch(followUps, record.id, ({ finishedAt: _, outcome: _outcome, ...open }) => ({
      ...open,
      fills: [...open.fills, { token, at: clock.now(), state: 'committed' }],
    }));
    await bulk.retryWhere({ memberOf: record.id, statuses: [JobStatus.FAILED] });
    // And once more, for what somebody has forgone between the two because of the end before.
    await waitAgain(followUps, followed);
    await finishFill(followUps, record.id, token);
  }
  return getBatch(followUps.batches, record.id);
}
