import { surfaced } from '../lifecycle/surface-failures.js';
import type { Insert, Inserted } from '../store/insert-types.js';
import type { JobStore } from '../store/port.js';
import { batchLength, type Sized } from './batch-length.js';
import { insertMerged } from './insert-merged.js';
import { isConnectionFailure } from './is-connection-failure.js';

/** Inserts under way at the same time: while the server works on one, the next is on its way. */
const MAX_IN_FLIGHT = 2;
/** Most jobs of one insert; more gain nothing, and each caller waits for the whole of its insert. */
const MAX_JOBS = 500;

/** A caller that waits for its job to be stored. */
interface Waiting<Id> extends Sized {
  readonly insert: Insert;
  resolve(inserted: Inserted<Id>): void;
  reject(error: unknown): void;
}

/**
 * Lets callers that are in flight together share one insert, which gives several times the throughput of one each.
 * No timer delays a lone caller: what has come goes out at the end of the current microtasks or, with two
 * inserts under way, when one of them ends.
 */
export class InsertCoalescer<Id> {
  readonly #store: Pick<JobStore<Id>, 'insert'>;
  readonly #waiting: Waiting<Id>[] = [];
  #inFlight = 0;
  #flushing = false;

  constructor(store: Pick<JobStore<Id>, 'insert'>) {
    this.#store = store;
  }

  /**
   * Stores one job.
   *
   * @param bytes - Room that its payload takes at most.
   */
  insert(insert: Insert, bytes: number): Promise<Inserted<Id>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ insert, bytes, resolve, reject });
      if (this.#flushing) return;
      this.#flushing = true;
      queueMicrotask(() => {
        this.#flushing = false;
        this.#flush();
      });
    });
  }

  #flush(): void {
    while (this.#inFlight < MAX_IN_FLIGHT && this.#waiting.length > 0) {
      this.#inFlight += 1;
      const batch = this.#waiting.splice(0, batchLength(this.#waiting, 0, MAX_JOBS));
      void this.#send(batch).finally(() => {
        this.#inFlight -= 1;
        this.#flush();
      });
    }
  }

  async #send(batch: readonly Waiting<Id>[]): Promise<void> {
    try {
      const inserted = await insertMerged(
        this.#store,
        batch.map(({ insert }) => insert),
      );
      for (const [index, one] of inserted.entries()) batch[index]?.resolve(one);
    } catch (error) {
      // One caller's job may have failed the insert of all, so that each is tried on its own. Not after a
      // failure of the connection: it concerns all of them, and jobs that were stored would be stored twice.
      if (batch.length === 1 || isConnectionFailure(error)) {
        for (const { reject } of batch) reject(surfaced(error));
      } else {
        for (const waiting of batch) await this.#send([waiting]);
      }
    }
  }
}
