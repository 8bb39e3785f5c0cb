import type { ObjectId } from 'mongodb';
import type { JobProgress } from '../../job/job.js';
import type { HeldClaim } from '../../store/claim-types.js';
import type { MongoContext } from '../mongo-context.js';

/** Runs whose progress is remembered. */
const MOST_REMEMBERED = 10_000;

/**
 * Stores how far runs have come. The latest of each run is remembered, because the engine knows the job as it was
 * claimed: with it, an ended run's job can be told as it is stored without another read.
 */
export class ProgressNotes {
  readonly #context: MongoContext;
  readonly #latest = new Map<string, JobProgress>();

  constructor(context: MongoContext) {
    this.#context = context;
  }

  /** Stores progress, fenced by the run's token and owner. Index: _id_. */
  async save({ id, token }: HeldClaim<ObjectId>, progress: JobProgress): Promise<boolean> {
    const { jobs, owners } = this.#context;
    const { matchedCount } = await jobs.updateOne(
      { _id: id, claimToken: token, status: 'processing', ...owners.fence([token]) },
      { $set: { progress, updatedAt: progress.at } },
    );
    if (matchedCount === 0) return false;
    this.#remember(noteKey(id, token), progress);
    return true;
  }

  /** The latest progress that this process stored for a run. */
  of(id: ObjectId, token: string): JobProgress | undefined {
    if (this.#latest.size === 0) return undefined;
    return this.#latest.get(noteKey(id, token));
  }

  /** The run has ended. */
  forget(id: ObjectId, token: string): void {
    if (this.#latest.size > 0) this.#latest.delete(noteKey(id, token));
  }

  /** Runs that lost their claims never end here: the oldest make room. */
  #remember(key: string, progress: JobProgress): void {
    this.#latest.delete(key);
    this.#latest.set(key, progress);
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > MOST_REMEMBERED && oldest !== undefined) this.#latest.delete(oldest);
  }
}

function noteKey(id: ObjectId, token: string): string {
  return `${id.toHexString()} ${token}`;
}
