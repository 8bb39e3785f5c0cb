import { type JobLogEntry, MAX_LOG_ENTRIES, type NewLogEntry } from '../log-types.js';
import { copyValue } from './copy-value.js';

/** Log entries, apart from the jobs that they tell of. */
export class JobLogs {
  readonly #entries = new Map<string, JobLogEntry[]>();

  append(entry: NewLogEntry<string>): void {
    const { jobId, ...line } = copyValue(entry);
    const lines = this.#entries.get(jobId) ?? [];
    lines.push(line);
    if (lines.length > MAX_LOG_ENTRIES) lines.shift();
    this.#entries.set(jobId, lines);
  }

  of(jobId: string): JobLogEntry[] {
    return copyValue(this.#entries.get(jobId) ?? []);
  }

  delete(jobId: string): void {
    this.#entries.delete(jobId);
  }
}
