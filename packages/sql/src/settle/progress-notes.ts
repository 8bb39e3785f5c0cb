import type { JobProgress, StoredJob } from '@monque/core';

/** Runs whose progress is remembered. */
const MOST_REMEMBERED = 10_000;

/**
 * The latest progress of each run. The engine knows the job as it was claimed: with this, an ended run's job can be
 * told as it is stored without another read.
 */
export class ProgressNotes {
  readonly #latest = new Map<string, JobProgress>();

  /** Runs that lost their claims never end here: the oldest make room. */
  remember(token: string, id: string, progress: JobProgress): void {
    const key = noteKey(token, id);
    this.#latest.delete(key);
    this.#latest.set(key, progress);
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > MOST_REMEMBERED && oldest !== undefined) this.#latest.delete(oldest);
  }

  /** The job with what its run has said since it was claimed. */
  withProgress(job: StoredJob<string>, token: string): StoredJob<string> {
    if (this.#latest.size === 0) return job;
    const progress = this.#latest.get(noteKey(token, job._id));
    return progress === undefined ? job : { ...job, progress };
  }

  /** The run has ended. */
  forget(token: string, id: string): void {
    if (this.#latest.size > 0) this.#latest.delete(noteKey(token, id));
  }
}

function noteKey(token: string, id: string): string {
  return `${token} ${id}`;
}
