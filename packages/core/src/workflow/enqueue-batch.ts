import { updateBatch } from '../engine/follow-up/update-batch.js';
import { BatchFinishedError, DuplicateBatchError } from '../errors/workflow-errors.js';
import type { BatchRecord } from '../store/batch-types.js';
import type { StoredJob } from '../store/query-types.js';
import { toBatch } from './batch.js';
import { checkBatchOptions, checkMembers, findBatch } from './batch-input.js';
import { fillBatch } from './fill-batch.js';
import type { WorkflowParts } from './workflow-parts.js';

/** What `enqueueBatch` answers. */
export interface EnqueuedBatch<Jobs> {
  /** Id of the batch. */
  batchId: string;
  /** The stored jobs, in the order of the items. */
  jobs: Jobs;
}

/** Stores a batch with its members, all or none. One without members is complete at once. */
export async function enqueueBatch<Id>(
  parts: WorkflowParts<Id>,
  items: unknown,
  options: unknown,
): Promise<EnqueuedBatch<StoredJob<Id>[]>> {
  const { followUps, clock, host, emit } = parts;
  const { id = host.uniqueText(), name } = checkBatchOptions(options);
  const inputs = await checkMembers(parts, items);
  const now = clock.now();
  const token = host.uniqueText();
  const bare = { id, ...(name !== undefined && { name }), createdAt: now, updatedAt: now, version: 1 };
  const isEmpty = inputs.length === 0;
  const record: BatchRecord = isEmpty
    ? { ...bare, finishedAt: now, outcome: 'completed', fills: [] }
    : { ...bare, fills: [{ token, at: now, state: 'open', isFirst: true }] };
  if (!(await followUps.batches.create(record))) throw taken(id);
  if (isEmpty) emit('batch:complete', { batch: toBatch(record, {}) });
  return { batchId: id, jobs: isEmpty ? [] : await fillBatch(parts, id, token, inputs) };
}

/** Stores further members of a batch that is not complete, all or none. */
export async function addToBatch<Id>(
  parts: WorkflowParts<Id>,
  id: unknown,
  items: unknown,
): Promise<StoredJob<Id>[]> {
  const { followUps, clock, host } = parts;
  const inputs = await checkMembers(parts, items);
  const found = await findBatch(followUps.batches, id);
  if (found.finishedAt !== undefined) throw finished(found.id);
  if (inputs.length === 0) return [];
  const token = host.uniqueText();
  const record = await updateBatch(followUps, found.id, (open) => {
    if (open.finishedAt !== undefined) throw finished(open.id);
    return { ...open, fills: [...open.fills, { token, at: clock.now(), state: 'open' }] };
  });
  // Removed since it was found.
  if (record === undefined) await findBatch(followUps.batches, found.id);
  return fillBatch(parts, found.id, token, inputs);
}

function taken(id: string): DuplicateBatchError {
  return new DuplicateBatchError(
    `A batch with the id "${id}" exists already. Use another id, or addToBatch while it is not complete`,
    id,
  );
}

function finished(id: string): BatchFinishedError {
  return new BatchFinishedError(
    `Batch "${id}" is complete, and takes no further jobs. Enqueue another batch`,
    id,
  );
}
