import { checkFlag, checkInteger, checkKeys } from '../options/checks.js';
import type { BatchRecord, BatchStore } from '../store/batch-types.js';
import { type Batch, toBatch } from './batch.js';
import { exists, readBatch } from './batch-input.js';

/** Which batches `listBatches` lists. */
export interface ListBatchesOptions {
  /** Only those that are complete, or only those that are not. */
  finished?: boolean;
  /**
   * Most batches to list, 1 to 1,000.
   *
   * @defaultValue 100
   */
  limit?: number;
  /**
   * Batches to pass over first.
   *
   * @defaultValue 0
   */
  skip?: number;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** A batch as it is now, or null where there is none. */
export async function getBatch(batches: BatchStore, id: unknown): Promise<Batch | null> {
  const record = await readBatch(batches, id);
  if (record === undefined) return null;
  const [batch] = await withCounts(batches, [record]);
  return batch ?? null;
}

/** Lists batches, the newest first. */
export async function listBatches(batches: BatchStore, options: unknown): Promise<Batch[]> {
  const given = checkKeys(options, ['finished', 'limit', 'skip'], 'list options');
  const records = await batches.page({
    direction: 'desc',
    limit: checkInteger(given.limit ?? DEFAULT_LIMIT, 'limit', 1, MAX_LIMIT),
    skip: checkInteger(given.skip ?? 0, 'skip', 0),
    ...(given.finished !== undefined && { finished: checkFlag(given.finished, 'finished') }),
  });
  return withCounts(batches, records.filter(exists));
}

async function withCounts(batches: BatchStore, records: readonly BatchRecord[]): Promise<Batch[]> {
  if (records.length === 0) return [];
  const counts = await batches.counts(records.map(({ id }) => id));
  return records.map((record) => toBatch(record, counts.get(record.id) ?? {}));
}
