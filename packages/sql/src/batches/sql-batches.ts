import type { BatchPageRequest, BatchRecord, BatchStore, MemberCounts } from '@monque/core';
import type { SqlContext } from '../context.js';
import type { Operation } from '../operation.js';
import {
  countMembers,
  createBatch,
  hasOpenMember,
  pageOfBatches,
  readBatches,
  removeBatch,
  replaceBatch,
} from './batch-operations.js';

/** Runs an operation on an open database. */
type Runner = <T>(operation: (context: SqlContext) => Operation<T>) => Promise<T>;

/** Records of batches in the table `JobBatches`. */
export class SqlBatches implements BatchStore {
  readonly #run: Runner;

  constructor(run: Runner) {
    this.#run = run;
  }

  async create(record: BatchRecord): Promise<boolean> {
    return this.#run((context) => createBatch(context, record));
  }

  async get(ids: readonly string[]): Promise<BatchRecord[]> {
    return ids.length === 0 ? [] : this.#run((context) => readBatches(context, ids));
  }

  async page(request: BatchPageRequest): Promise<BatchRecord[]> {
    return this.#run((context) => pageOfBatches(context, request));
  }

  async replace(record: BatchRecord): Promise<boolean> {
    return this.#run((context) => replaceBatch(context, record));
  }

  async remove(record: Pick<BatchRecord, 'id' | 'version'>): Promise<boolean> {
    return this.#run((context) => removeBatch(context, record));
  }

  async hasOpenMember(id: string): Promise<boolean> {
    return this.#run((context) => hasOpenMember(context, id));
  }

  async counts(ids: readonly string[]): Promise<ReadonlyMap<string, MemberCounts>> {
    return ids.length === 0 ? new Map() : this.#run((context) => countMembers(context, ids));
  }
}
