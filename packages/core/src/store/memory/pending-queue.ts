import { compareUrgency } from '../../job/urgency.js';
import { BinaryHeap } from './binary-heap.js';
import type { MemoryJob } from './memory-job.js';

/** Stale entries that a heap may hold beyond its live ones before it is swept. */
const SLACK = 64;

/**
 * The pending jobs of one name, in the order in which they are claimed.
 *
 * Jobs wait by time, and move to the due ones when their time comes; only those are ordered by priority. So
 * a million future jobs of the highest priority cost a claim nothing. Entries of jobs that have changed
 * meanwhile stay until they come up, or until they outnumber the live ones.
 */
export class PendingQueue {
  readonly #isCurrent: (job: MemoryJob) => boolean;
  readonly #waiting = new BinaryHeap<MemoryJob>(byTime);
  readonly #due = new BinaryHeap<MemoryJob>(byUrgency);
  #live = 0;

  constructor(isCurrent: (job: MemoryJob) => boolean) {
    this.#isCurrent = isCurrent;
  }

  /** Whether no pending job is left. */
  get isEmpty(): boolean {
    return this.#live === 0;
  }

  add(job: MemoryJob): void {
    this.#live += 1;
    this.#waiting.push(job);
  }

  /** A job that was added is pending no longer, or has been replaced by a new version. */
  remove(): void {
    this.#live -= 1;
    for (const heap of [this.#waiting, this.#due]) {
      if (heap.size > 2 * this.#live + SLACK) heap.retain(this.#isCurrent);
    }
  }

  /** The most urgent job that is due, without taking it. */
  peek(now: Date): MemoryJob | undefined {
    this.#promote(now);
    for (;;) {
      const job = this.#head(this.#due);
      if (job === undefined || job.nextRunAt <= now) return job;
      // Another caller's clock was ahead of this one's: back into the waiting line.
      this.#due.pop();
      this.#waiting.push(job);
    }
  }

  /** When the next job becomes due, later than this. */
  nextAfter(time: Date): Date | undefined {
    this.#due.retain((job) => {
      const isDue = job.nextRunAt <= time;
      if (!isDue) this.#waiting.push(job);
      return isDue;
    });
    this.#promote(time);
    return this.#head(this.#waiting)?.nextRunAt;
  }

  #promote(now: Date): void {
    for (;;) {
      const job = this.#head(this.#waiting);
      if (job === undefined || job.nextRunAt > now) return;
      this.#waiting.pop();
      this.#due.push(job);
    }
  }

  #head(heap: BinaryHeap<MemoryJob>): MemoryJob | undefined {
    for (;;) {
      const job = heap.peek();
      if (job === undefined || this.#isCurrent(job)) return job;
      heap.pop();
    }
  }
}

/** The more urgent first, then the oldest. */
export function byUrgency(a: MemoryJob, b: MemoryJob): number {
  return compareUrgency(a, b) || byId(a, b);
}

function byTime(a: MemoryJob, b: MemoryJob): number {
  return a.nextRunAt.getTime() - b.nextRunAt.getTime() || byId(a, b);
}

function byId(a: MemoryJob, b: MemoryJob): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
}
