import { type JobStatus, OPEN_STATUSES } from '../../job/status.js';
import type { BatchPageRequest, BatchRecord, BatchStore, MemberCounts } from '../batch-types.js';
import { copyValue } from './copy-value.js';
import type { JobTable } from './job-table.js';

/** Records of batches in memory. */
export class MemoryBatches implements BatchStore {
  readonly #table: JobTable;
  readonly #records = new Map<string, BatchRecord>();

  constructor(table: JobTable) {
    this.#table = table;
  }

  async create(record: BatchRecord): Promise<boolean> {
    if (this.#records.has(record.id)) return false;
    this.#records.set(record.id, copyValue(record));
    return true;
  }

  async get(ids: readonly string[]): Promise<BatchRecord[]> {
    return [...new Set(ids)].flatMap((id) => copyValue(this.#records.get(id)) ?? []);
  }

  async page({ finished, direction, after, skip = 0, limit }: BatchPageRequest): Promise<BatchRecord[]> {
    const sign = direction === 'asc' ? 1 : -1;
    return [...this.#records.values()]
      .filter((record) => finished === undefined || (record.finishedAt !== undefined) === finished)
      .filter((record) => after === undefined || sign * byAge(record, after) > 0)
      .sort((a, b) => sign * byAge(a, b))
      .slice(skip, skip + limit)
      .map((record) => copyValue(record));
  }

  async replace(record: BatchRecord): Promise<boolean> {
    if (this.#records.get(record.id)?.version !== record.version - 1) return false;
    this.#records.set(record.id, copyValue(record));
    return true;
  }

  async remove({ id, version }: Pick<BatchRecord, 'id' | 'version'>): Promise<boolean> {
    return this.#records.get(id)?.version === version && this.#records.delete(id);
  }

  async hasOpenMember(id: string): Promise<boolean> {
    for (const _ of this.#table.matching({ memberOf: id, statuses: OPEN_STATUSES })) return true;
    return false;
  }

  async counts(ids: readonly string[]): Promise<Map<string, MemberCounts>> {
    const answers = new Map<string, MemberCounts>();
    for (const id of ids) {
      const counts: Partial<Record<JobStatus, number>> = {};
      for (const { status } of this.#table.matching({ memberOf: id }))
        counts[status] = (counts[status] ?? 0) + 1;
      answers.set(id, counts);
    }
    return answers;
  }
}

type Place = Pick<BatchRecord, 'createdAt' | 'id'>;

function byAge(a: Place, b: Place): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
