import type { Host, Timer } from '../engine/host.js';
import { ConnectionError } from '../errors/operation-errors.js';
import type { MonqueEventMap } from '../events.js';
import { FINAL_STATUSES } from '../job/status.js';
import type { JobStore } from '../store/port.js';
import type { StoredJob } from '../store/query-types.js';

const FIRST_POLL_AFTER = 25;
const LONGEST_POLL_INTERVAL = 1_000;
/** Jobs read by one query. */
const BATCH = 1_000;

/** Somebody who waits for a job to become final. */
interface Waiter<Id> {
  readonly id: Id;
  settle(job: StoredJob<Id> | null): void;
  fail(error: Error): void;
}

/** Whether a job will not change any more by itself. */
export function isFinal(job: StoredJob): boolean {
  return (FINAL_STATUSES as readonly string[]).includes(job.status);
}

/**
 * Where callers wait for jobs to become final. What this process settles is known at once, from its own events;
 * for the rest one poller asks for all jobs together, with growing pauses. An outage only makes it ask again.
 */
export class WaitRoom<Id> {
  readonly #store: Pick<JobStore<Id>, 'get'>;
  readonly #host: Host;
  readonly #waiters = new Map<string, Set<Waiter<Id>>>();
  #timer: Timer | undefined;
  /** When the timer fires, by the host's monotonic clock. */
  #pollAt = Number.POSITIVE_INFINITY;
  #interval = FIRST_POLL_AFTER;
  #polling = false;

  constructor(store: Pick<JobStore<Id>, 'get'>, host: Host) {
    this.#store = store;
    this.#host = host;
  }

  /** Lets somebody wait; answers how to leave again. */
  enter(waiter: Waiter<Id>): () => void {
    const key = String(waiter.id);
    const others = this.#waiters.get(key) ?? new Set();
    this.#waiters.set(key, others.add(waiter));
    this.pollSoon();
    return () => this.#leave(key, waiter);
  }

  /** Looks again soon: somebody came, or jobs were changed whose ids are not known. */
  pollSoon(): void {
    this.#interval = FIRST_POLL_AFTER;
    this.#arm();
  }

  /** Sees every event of this instance. */
  observe([event]: MonqueEventMap<unknown>[keyof MonqueEventMap<unknown>]): void {
    if (this.#waiters.size === 0 || event === undefined) return;
    if ('jobId' in event) this.#settle(event.jobId, null);
    // The job's status decides, not the event: a recurring job goes on after each of them.
    else if ('job' in event && event.job !== undefined && isFinal(event.job)) {
      this.#settle(String(event.job._id), event.job as StoredJob<Id>);
    }
  }

  /** Sends everybody home. */
  close(): void {
    const error = new ConnectionError('Monque was closed while this call waited for a job');
    for (const waiters of [...this.#waiters.values()]) for (const waiter of [...waiters]) waiter.fail(error);
  }

  #leave(key: string, waiter: Waiter<Id>): void {
    const others = this.#waiters.get(key);
    others?.delete(waiter);
    if (others?.size === 0) this.#waiters.delete(key);
    if (this.#waiters.size === 0) this.#disarm();
  }

  #settle(key: string, job: StoredJob<Id> | null): void {
    for (const waiter of [...(this.#waiters.get(key) ?? [])]) waiter.settle(job);
  }

  /** Sees to it that there is a poll by then. One that comes sooner stays: else those who keep coming would put it off for ever. */
  #arm(): void {
    if (this.#polling || this.#waiters.size === 0) return;
    const at = this.#host.monotonic() + this.#interval;
    if (at >= this.#pollAt) return;
    this.#disarm();
    this.#pollAt = at;
    // It keeps the process alive: a script that waits for a job must not end before it.
    this.#timer = this.#host.after(this.#interval, () => void this.#poll(), true);
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#pollAt = Number.POSITIVE_INFINITY;
  }

  async #poll(): Promise<void> {
    this.#disarm();
    this.#polling = true;
    this.#interval = Math.min(this.#interval * 2, LONGEST_POLL_INTERVAL);
    const asked = [...this.#waiters.values()].flatMap(([waiter]) => (waiter ? [waiter.id] : []));
    try {
      for (let start = 0; start < asked.length; start += BATCH)
        await this.#look(asked.slice(start, start + BATCH));
    } catch {
      // The database is out of reach: the answer comes when it is back, or the caller's own timeout passes.
    } finally {
      this.#polling = false;
      this.#arm();
    }
  }

  async #look(ids: readonly Id[]): Promise<void> {
    const found = new Map((await this.#store.get(ids)).map((job) => [String(job._id), job]));
    for (const id of ids) {
      const job = found.get(String(id));
      if (job === undefined || isFinal(job)) this.#settle(String(id), job ?? null);
    }
  }
}
