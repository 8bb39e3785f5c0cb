import type { JobDefinition } from '../job/definition.js';
import type { EnqueueOptions } from '../job/enqueue-options.js';
import type { PersistedJob } from '../job/job.js';
import type { Inserted } from '../store/insert-types.js';
import type { StoredJob } from '../store/query-types.js';
import { acceptInserted } from './accept-inserted.js';
import { batchLength } from './batch-length.js';
import { checkItems, naming } from './check-items.js';
import type { CheckedInput } from './check-job-input.js';
import { toInsert } from './enqueue.js';
import { insertMerged } from './insert-merged.js';
import type { IntakeParts } from './intake-parts.js';
import { settleChildren, withParents } from './parents.js';

/** One job of `enqueueMany`. */
export interface EnqueueItem {
  /** Name or definition of the job. */
  name: string | JobDefinition;
  /** Its payload; with a definition, what that says. */
  data: unknown;
  /** How to store it. */
  options?: EnqueueOptions;
}

/** The payload of an item: what its definition says, or what is there. */
export type ItemData<Item> = Item extends { name: JobDefinition<infer Input, unknown, unknown> }
  ? Input
  : Item extends { data: infer Data }
    ? Data
    : unknown;

/** Items whose payloads are what their definitions say. */
export type CheckedItems<Items extends readonly EnqueueItem[]> = {
  [Index in keyof Items]: { data: ItemData<Items[Index]> };
};

/** The stored jobs of items, one for each. */
export type JobsOf<Items extends readonly EnqueueItem[], Id> = {
  -readonly [Index in keyof Items]: PersistedJob<ItemData<Items[Index]>, Id>;
};

/** Most jobs of one insert. */
const MAX_JOBS = 1_000;

/**
 * Stores many jobs in few inserts, one after the other; answers in the order of the items. All of them are checked
 * before any is written. One that is refused as a duplicate fails the call after the others have been stored.
 */
export async function enqueueMany<Id>(parts: IntakeParts<Id>, items: unknown): Promise<StoredJob<Id>[]> {
  const inputs = await withParents(parts, await checkItems(parts, items));
  const jobs: StoredJob<Id>[] = [];
  let refused: unknown;
  for (let start = 0; start < inputs.length; ) {
    const batch = nextBatch(inputs, start);
    for (const [offset, one] of (await insertBatch(parts, batch)).entries()) {
      try {
        jobs.push(acceptInserted(parts.engine, one, batch[offset]?.options.onDuplicate ?? 'keep'));
      } catch (error) {
        refused ??= naming(start + offset, error);
      }
    }
    start += batch.length;
  }
  const settled = await settleChildren(parts, jobs);
  if (refused !== undefined) throw refused;
  return settled;
}

/** What one insert may carry. */
function nextBatch(inputs: readonly CheckedInput[], start: number): readonly CheckedInput[] {
  return inputs.slice(start, start + batchLength(inputs, start, MAX_JOBS));
}

async function insertBatch<Id>(
  parts: IntakeParts<Id>,
  batch: readonly CheckedInput[],
): Promise<Inserted<Id>[]> {
  const now = parts.clock.now();
  const session = batch[0]?.options.session;
  const inserts = batch.map((input) => toInsert(input, now));
  return insertMerged(parts.store, inserts, session === undefined ? undefined : { session });
}
