import { failuresOf } from '../../job/failures.js';
import type { HeldClaim } from '../../store/claim-types.js';
import type { StoredJob } from '../../store/query-types.js';
import type { Worker } from '../worker-registry.js';

/** One claimed job on its way through this process. */
export class Run {
  readonly job: StoredJob;
  /** The id as text, for look-ups. */
  readonly key: string;
  readonly token: string;
  readonly worker: Worker;
  /** Monotonic time at which the claim arrived. */
  readonly claimedAt: number;
  /** Made when it is first asked for: most handlers never look at their signal. */
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #over = false;
  #onEnd: (() => void) | undefined;

  constructor(job: StoredJob, token: string, worker: Worker, claimedAt: number) {
    this.job = job;
    this.key = String(job._id);
    this.token = token;
    this.worker = worker;
    this.claimedAt = claimedAt;
  }

  get id(): unknown {
    return this.job._id;
  }

  get claim(): HeldClaim {
    return { id: this.job._id, token: this.token };
  }

  /** Number of this attempt, 1 for the first. */
  get attempt(): number {
    return failuresOf(this.job) + 1;
  }

  /** What the handler sees. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Whether the run is over for the engine: what its handler still does counts for nothing. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether the handler was asked to give up while its outcome would still count. */
  get interrupted(): boolean {
    return this.#reason !== undefined && !this.#over;
  }

  /** Called once when the run is taken away; undefined once nobody wants to know. */
  set onEnd(callback: (() => void) | undefined) {
    this.#onEnd = callback;
  }

  /** Takes the run away from its handler: its claim is gone, or its time is up. */
  end(reason: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.interrupt(reason);
    this.#onEnd?.();
  }

  /** Asks the handler to give up. What it manages to finish still counts. */
  interrupt(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}
