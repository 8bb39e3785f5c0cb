import type { JobFilter } from '../query-types.js';
import { matches } from './filter.js';
import { JobLinks } from './job-links.js';
import { isQueued, type MemoryJob } from './memory-job.js';
import { PendingQueue } from './pending-queue.js';
import { isActive, UniqueKeys } from './unique-keys.js';
import type { Watchers } from './watchers.js';

/** All jobs, in the order of their ids, and the indexes that follow every write. */
export class JobTable {
  readonly #jobs = new Map<string, MemoryJob>();
  readonly #pending = new Map<string, PendingQueue>();
  readonly #keys = new UniqueKeys();
  readonly #links = new JobLinks();
  readonly #watchers: Watchers;

  constructor(watchers: Watchers) {
    this.#watchers = watchers;
  }

  get(id: string): MemoryJob | undefined {
    return this.#jobs.get(id);
  }

  all(): Iterable<MemoryJob> {
    return this.#jobs.values();
  }

  /** Jobs that a filter means. */
  *matching(filter: JobFilter): Iterable<MemoryJob> {
    const among = this.#links.among(filter);
    for (const job of among === undefined ? this.all() : this.#present(among))
      if (matches(job, filter)) yield job;
  }

  /** Jobs that follow this one. */
  childrenOf(id: string): MemoryJob[] {
    return [...this.#present(this.#links.childrenOf(id))];
  }

  /** Pending jobs of a name, or undefined without any. */
  pending(name: string): PendingQueue | undefined {
    return this.#pending.get(name);
  }

  /** The job that occupies the key that this job would need, if it is another one. */
  keyHolder(job: Pick<MemoryJob, 'name' | 'uniqueKey'> & { _id?: string }): MemoryJob | undefined {
    const holder = this.#keys.holderAgainst(job);
    return holder === undefined ? undefined : this.#jobs.get(holder);
  }

  /** Stores a job, new or in place of its previous version. */
  put(job: MemoryJob): void {
    if (isActive(job) && this.keyHolder(job) !== undefined) {
      throw new Error(`Unique key "${job.uniqueKey}" of "${job.name}" is taken`);
    }
    const previous = this.#jobs.get(job._id);
    this.#jobs.set(job._id, job);
    this.#follow(previous, job);
  }

  /** Removes a job; answers whether there was one. */
  delete(id: string): boolean {
    const previous = this.#jobs.get(id);
    if (previous === undefined) return false;
    this.#jobs.delete(id);
    this.#follow(previous, undefined);
    return true;
  }

  #follow(previous: MemoryJob | undefined, next: MemoryJob | undefined): void {
    this.#keys.update(previous, next);
    this.#links.update(previous, next);
    if (isQueued(next)) this.#queueOf(next.name).add(next);
    if (isQueued(previous)) this.#unqueue(previous.name);
    this.#watchers.changed(previous, next);
  }

  *#present(ids: Iterable<string>): Iterable<MemoryJob> {
    for (const id of ids) {
      const job = this.#jobs.get(id);
      if (job !== undefined) yield job;
    }
  }

  #queueOf(name: string): PendingQueue {
    let queue = this.#pending.get(name);
    if (queue === undefined) {
      queue = new PendingQueue((job) => this.#jobs.get(job._id) === job);
      this.#pending.set(name, queue);
    }
    return queue;
  }

  #unqueue(name: string): void {
    const queue = this.#pending.get(name);
    queue?.remove();
    if (queue?.isEmpty) this.#pending.delete(name);
  }
}
