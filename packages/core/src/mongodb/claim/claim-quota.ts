import { compareUrgency } from '../../job/urgency.js';
import type { Want } from '../../store/claim-types.js';
import type { JobDocument } from '../documents/job-document.js';

/** What a claim may still take: so many of each name, and so many in all. */
export class ClaimQuota {
  readonly #left = new Map<string, number>();
  readonly #taken = new Map<string, JobDocument>();
  readonly #total: number;
  /** Whether a limit kept something from being taken, or from being looked for. */
  cut = false;

  constructor(wants: readonly Want[], total: number) {
    for (const { name, limit } of wants) {
      if (limit > 0) this.#left.set(name, (this.#left.get(name) ?? 0) + limit);
    }
    this.#total = total;
  }

  /** Names of which more may be taken. */
  get openNames(): string[] {
    return this.left > 0 ? [...this.#left.keys()] : [];
  }

  /** How many more may be taken in all. */
  get left(): number {
    return this.leftOf(this.#left.keys());
  }

  /** How many more of these names may be taken. */
  leftOf(names: Iterable<string>): number {
    return Math.min(this.#leftInAll, this.#leftByName(names));
  }

  /** Whether the names compete: together they may take less than each by itself. */
  get isTight(): boolean {
    return this.#leftInAll < this.#leftByName(this.#left.keys());
  }

  /** What was taken, the most urgent first. */
  get taken(): JobDocument[] {
    return [...this.#taken.values()].sort(byUrgency);
  }

  /** Takes a job unless it is taken already or a limit is in the way; answers whether it was taken now. */
  take(job: JobDocument): boolean {
    const id = job._id.toHexString();
    if (this.#taken.has(id)) return false;
    const left = this.#left.get(job.name);
    if (left === undefined || this.#taken.size >= this.#total) {
      this.cut = true;
      return false;
    }
    this.#taken.set(id, job);
    if (left > 1) this.#left.set(job.name, left - 1);
    else this.#left.delete(job.name);
    return true;
  }

  get #leftInAll(): number {
    return this.#total - this.#taken.size;
  }

  #leftByName(names: Iterable<string>): number {
    let sum = 0;
    for (const name of names) sum += this.#left.get(name) ?? 0;
    return sum;
  }
}

/** Higher priority first, then the earliest due, then the oldest. */
export function byUrgency(one: JobDocument, other: JobDocument): number {
  return compareUrgency(one, other) || (one._id.toHexString() < other._id.toHexString() ? -1 : 1);
}
