import { InvalidOptionError } from '../errors/input-errors.js';
import { BatchNotFoundError } from '../errors/workflow-errors.js';
import { checkItems, naming } from '../intake/check-items.js';
import type { CheckedInput, InputRules } from '../intake/check-job-input.js';
import { refuseForWaiting } from '../job/check-enqueue-options.js';
import { idText } from '../job/id-text.js';
import { checkKeys, checkText } from '../options/checks.js';
import type { BatchRecord, BatchStore } from '../store/batch-types.js';

/**
 * How to store a batch.
 *
 * @example
 * ```ts
 * import type { EnqueueBatchOptions } from '@monque/core';
 *
 * const options: EnqueueBatchOptions = { id: 'import-2026-11-15', name: 'Nightly import' };
 * ```
 */
export interface EnqueueBatchOptions {
  /**
   * The id of the batch, 1 to 36 characters. One that is taken is refused with `DuplicateBatchError`.
   *
   * @defaultValue a random one
   */
  id?: string;
  /**
   * What to call it, for people; at most 255 characters.
   *
   * @defaultValue none
   */
  name?: string;
}

const LONGEST_ID = 36;
const LONGEST_NAME = 255;

export function checkBatchOptions(options: unknown): EnqueueBatchOptions {
  const { id, name } = checkKeys(options, ['id', 'name'], 'batch options');
  return {
    ...(id !== undefined && { id: checkText(id, 'id', LONGEST_ID) }),
    ...(name !== undefined && { name: checkText(name, 'name', LONGEST_NAME) }),
  };
}

/** Checks the members that a batch is to get. */
export async function checkMembers(rules: InputRules, items: unknown): Promise<CheckedInput[]> {
  const inputs = await checkItems(rules, items);
  for (const [index, { options }] of inputs.entries()) {
    try {
      refuseForWaiting(options, 'a job of a batch');
      if (options.parent !== undefined) {
        throw new InvalidOptionError(
          'parent',
          'Option "parent" cannot be used for a job of a batch: it waits for nobody. Leave it out, or use continueBatchWith',
        );
      }
    } catch (error) {
      throw naming(index, error);
    }
  }
  return inputs;
}

/**
 * Reads the record of a batch.
 *
 * @throws BatchNotFoundError
 */
export async function findBatch(batches: BatchStore, id: unknown): Promise<BatchRecord> {
  const record = await readBatch(batches, id);
  if (record !== undefined) return record;
  const text = idText(id);
  throw new BatchNotFoundError(`There is no batch "${text}". Give the id that enqueueBatch answered`, text);
}

/** Reads the record of a batch, if there is one. A batch whose first members are still being stored does not exist yet. */
export async function readBatch(batches: BatchStore, id: unknown): Promise<BatchRecord | undefined> {
  if (!isBatchId(id)) return undefined;
  const [record] = await batches.get([id]);
  return record === undefined || !exists(record) ? undefined : record;
}

/** Whether a batch can have this id; one that could never be given is not asked for. */
function isBatchId(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.length <= LONGEST_ID && !/\p{Cc}/u.test(id);
}

export function exists({ fills }: BatchRecord): boolean {
  return !fills.some(({ isFirst, state }) => isFirst && state !== 'committed');
}
