import type { Filter } from 'mongodb';
import { type JobStatus, OPEN_STATUSES } from '../../job/status.js';
import type { BatchPageRequest, BatchRecord, BatchStore, MemberCounts } from '../../store/batch-types.js';
import { DUPLICATE_KEY, errorCode } from '../driver-errors.js';
import { hinting, type MongoContext } from '../mongo-context.js';
import { toQuery } from '../operations/filter.js';
import { type BatchDocument, toBatchDocument, toBatchRecord } from './batch-document.js';

/**
 * The records of batches. Index: _id_; createdAt_1__id_1 and finishedAt_1_createdAt_1__id_1 for pages, made with the
 * first record, so that nobody who has no batches has the collection.
 */
export class MongoBatches implements BatchStore {
  readonly #opened: () => MongoContext;
  #indexed: Promise<unknown> | undefined;

  /** @param opened - The context of the open store. */
  constructor(opened: () => MongoContext) {
    this.#opened = opened;
  }

  async create(record: BatchRecord): Promise<boolean> {
    const { batches } = this.#opened();
    await this.#ensureIndexes();
    try {
      await batches.insertOne(toBatchDocument(record));
      return true;
    } catch (error) {
      if (errorCode(error) === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  async get(ids: readonly string[]): Promise<BatchRecord[]> {
    if (ids.length === 0) return [];
    const documents = await this.#opened()
      .batches.find({ _id: { $in: [...ids] } })
      .toArray();
    return documents.map(toBatchRecord);
  }

  async page({ finished, direction, after, skip = 0, limit }: BatchPageRequest): Promise<BatchRecord[]> {
    const order = direction === 'asc' ? 1 : -1;
    const beyond = order === 1 ? '$gt' : '$lt';
    const query: Filter<BatchDocument> = {
      ...(finished !== undefined && { finishedAt: finished ? { $type: 'date' } : { $exists: false } }),
      ...(after !== undefined && {
        $or: [
          { createdAt: { [beyond]: after.createdAt } },
          { createdAt: after.createdAt, _id: { [beyond]: after.id } },
        ],
      }),
    };
    const documents = await this.#opened()
      .batches.find(query, { sort: { createdAt: order, _id: order }, skip, limit })
      .toArray();
    return documents.map(toBatchRecord);
  }

  async replace(record: BatchRecord): Promise<boolean> {
    const { _id, ...document } = toBatchDocument(record);
    const { matchedCount } = await this.#opened().batches.replaceOne(
      { _id, version: record.version - 1 },
      document,
    );
    return matchedCount === 1;
  }

  async remove({ id, version }: Pick<BatchRecord, 'id' | 'version'>): Promise<boolean> {
    const { deletedCount } = await this.#opened().batches.deleteOne({ _id: id, version });
    return deletedCount === 1;
  }

  /** Index: batchId_1_status_1_awaitsBatchId_1 of the jobs. */
  async hasOpenMember(id: string): Promise<boolean> {
    const context = this.#opened();
    const query = toQuery({ memberOf: id, statuses: OPEN_STATUSES });
    const open = await context.withIndexes((indexes) =>
      context.jobs.findOne(query, { projection: { _id: 1 }, ...hinting(indexes.batch) }),
    );
    return open !== null;
  }

  /** Index: batchId_1_status_1_awaitsBatchId_1 of the jobs, whose keys alone are read. */
  async counts(ids: readonly string[]): Promise<Map<string, MemberCounts>> {
    const context = this.#opened();
    const groups = await context.withIndexes((indexes) =>
      context.jobs
        .aggregate<{ _id: { batch: string; status: JobStatus; awaits: string | null }; count: number }>(
          [
            { $match: { batchId: { $in: [...ids] } } },
            {
              $group: {
                _id: { batch: '$batchId', status: '$status', awaits: { $ifNull: ['$awaitsBatchId', null] } },
                count: { $sum: 1 },
              },
            },
          ],
          hinting(indexes.batch),
        )
        .toArray(),
    );
    const answers = new Map<string, Partial<Record<JobStatus, number>>>();
    for (const { _id, count } of groups) {
      if (_id.awaits !== null) continue;
      const counts = answers.get(_id.batch) ?? {};
      counts[_id.status] = count;
      answers.set(_id.batch, counts);
    }
    return answers;
  }

  async #ensureIndexes(): Promise<void> {
    const { batches, skipIndexCreation } = this.#opened();
    if (skipIndexCreation) return;
    this.#indexed ??= batches
      .createIndexes([{ key: { createdAt: 1, _id: 1 } }, { key: { finishedAt: 1, createdAt: 1, _id: 1 } }])
      .catch((error: unknown) => {
        this.#indexed = undefined;
        throw error;
      });
    await this.#indexed;
  }
}
