import type { ObjectId } from 'mongodb';
import { type JobLogEntry, MAX_LOG_ENTRIES, type NewLogEntry } from '../../store/log-types.js';
import { answered } from '../answered.js';
import type { LogDocument } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';

/** New lines of a job after which its oldest are looked at again. */
const TRIM_EVERY = 100;
/** Jobs that are remembered for it. */
const MOST_REMEMBERED = 10_000;

/**
 * The log lines of jobs. Index: jobId_1_at_1, made with the first line, so that nobody who logs nothing has the
 * collection.
 */
export class JobLogs {
  readonly #context: MongoContext;
  #indexed: Promise<unknown> | undefined;
  /** Lines since a job's log was last trimmed. */
  readonly #sinceTrim = new Map<string, number>();

  constructor(context: MongoContext) {
    this.#context = context;
  }

  async append(entries: readonly NewLogEntry<ObjectId>[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#ensureIndex();
    const documents = entries.map((entry): LogDocument => ({ _id: this.#context.newId(), ...entry }));
    await this.#context.logs.insertMany(documents, { ordered: false });
    const newLines = new Map<ObjectId, number>();
    const ids = new Map(documents.map(({ jobId }) => [jobId.toHexString(), jobId]));
    for (const { jobId } of documents) {
      const id = ids.get(jobId.toHexString()) ?? jobId;
      newLines.set(id, (newLines.get(id) ?? 0) + 1);
    }
    for (const [id, count] of newLines) if (this.#isTrimDue(id, count)) await this.#trim(id);
  }

  /** The latest lines of a job, oldest first. More may be stored until its log is next trimmed. */
  async read(id: ObjectId): Promise<JobLogEntry[]> {
    const latest = await this.#context.logs
      .find(
        { jobId: id },
        { projection: { _id: 0, jobId: 0 }, sort: { at: -1, _id: -1 }, limit: MAX_LOG_ENTRIES },
      )
      .toArray();
    return latest.reverse();
  }

  /** With the first line of a job that this process sees, and then with every hundredth. */
  #isTrimDue(id: ObjectId, newLines: number): boolean {
    const key = id.toHexString();
    const before = this.#sinceTrim.get(key);
    const since = (before ?? 0) + newLines;
    const isDue = before === undefined || since >= TRIM_EVERY;
    if (this.#sinceTrim.size >= MOST_REMEMBERED) this.#sinceTrim.clear();
    this.#sinceTrim.set(key, isDue ? 0 : since);
    return isDue;
  }

  async #trim(id: ObjectId): Promise<void> {
    const { logs } = this.#context;
    const [newestTooMany] = await logs
      .find(
        { jobId: id },
        { projection: { at: 1 }, sort: { at: -1, _id: -1 }, skip: MAX_LOG_ENTRIES, limit: 1 },
      )
      .toArray();
    if (newestTooMany === undefined) return;
    const { _id, at } = newestTooMany;
    await logs.deleteMany({ jobId: id, $or: [{ at: { $lt: at } }, { at, _id: { $lte: _id } }] });
  }

  async #ensureIndex(): Promise<void> {
    if (this.#context.skipIndexCreation) return;
    const { logs } = this.#context;
    this.#indexed ??= answered(logs.createIndex({ jobId: 1, at: 1 })).catch((error: unknown) => {
      this.#indexed = undefined;
      throw error;
    });
    await this.#indexed;
  }
}
