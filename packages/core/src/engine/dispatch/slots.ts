import { compareUrgency } from '../../job/urgency.js';
import type { Want } from '../../store/claim-types.js';
import type { Run } from '../execute/run.js';
import type { Host, Timer } from '../host.js';
import type { Worker, WorkerRegistry } from '../worker-registry.js';
import { Pace } from './pace.js';
import { AHEAD_MS, Throughput } from './throughput.js';

/** Longest time that a claimed job waits for a slot before it goes back to the store. */
const LONGEST_WAIT_MS = 400;

/** What one worker has under way in this process. */
interface Lane {
  running: number;
  readonly waiting: Run[];
  readonly throughput: Throughput;
}

/** What the dispatcher should ask the store for. */
export interface Wanted {
  readonly wants: Want[];
  readonly total: number;
  /** Whether more would be wanted if slots were free. */
  readonly isLimited: boolean;
}

/**
 * Who may run: free slots per worker and per process, and the few claims that wait for one.
 */
export class Slots {
  readonly #host: Host;
  readonly #workers: WorkerRegistry;
  readonly #limit: number;
  /** Runs the handler; resolves when the run is over for the engine, and never rejects. */
  readonly #execute: (run: Run) => Promise<void>;
  readonly #giveBack: (runs: Run[]) => void;
  /** Called whenever a slot has become free. */
  readonly #freed: () => void;
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Set<Run>();
  readonly #pace = new Pace();
  #waiting = 0;
  #overdueCheck: Timer | undefined;
  #whenIdle: (() => void)[] = [];

  constructor(parts: {
    host: Host;
    workers: WorkerRegistry;
    limit: number;
    execute: (run: Run) => Promise<void>;
    giveBack: (runs: Run[]) => void;
    freed: () => void;
  }) {
    this.#host = parts.host;
    this.#workers = parts.workers;
    this.#limit = parts.limit;
    this.#execute = parts.execute;
    this.#giveBack = parts.giveBack;
    this.#freed = parts.freed;
  }

  get running(): ReadonlySet<Run> {
    return this.#running;
  }

  get idle(): boolean {
    return this.#running.size === 0 && this.#waiting === 0;
  }

  /** Resolves when nothing runs and nothing waits. */
  whenIdle(): Promise<void> {
    return this.idle ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  activeCount(name: string): number {
    return this.#lanes.get(name)?.running ?? 0;
  }

  /** Room per worker and in all. Who has enough at hand asks for nothing, so that claims stay large. */
  wanted(): Wanted {
    const wants: Want[] = [];
    let sum = 0;
    let ahead = 0;
    let free = 0;
    let isLimited = false;
    const pace = this.#pace.within(AHEAD_MS);
    for (const worker of this.#workers.all()) {
      const lane = this.#lane(worker.name);
      const prefetch = Math.min(lane.throughput.prefetch(worker.concurrency), pace);
      const limit = worker.concurrency + prefetch - lane.running - lane.waiting.length;
      ahead += prefetch;
      free += Math.max(0, worker.concurrency - lane.running);
      if (limit <= 0 || lane.waiting.length > prefetch / 2) {
        isLimited = true;
        continue;
      }
      wants.push({ name: worker.name, limit });
      sum += limit;
    }
    const startable = Math.min(free, this.#limit - this.#running.size);
    const allowed = Math.min(ahead, pace);
    const room = this.#waiting > allowed / 2 ? 0 : startable + allowed - this.#waiting;
    return { wants, total: Math.max(0, Math.min(sum, room)), isLimited: isLimited || room < sum };
  }

  /** Takes a claimed job: it starts now, or as soon as a slot is free. */
  accept(run: Run): void {
    const lane = this.#lane(run.worker.name);
    if (this.#mayStart(run.worker, lane)) this.#start(run, lane);
    else {
      lane.waiting.push(run);
      this.#waiting++;
      this.#watchOverdue();
    }
  }

  /** Takes out everything that has not started. */
  clearWaiting(): Run[] {
    const cleared: Run[] = [];
    for (const lane of this.#lanes.values()) cleared.push(...lane.waiting.splice(0));
    this.#waiting = 0;
    this.#overdueCheck?.cancel();
    this.#overdueCheck = undefined;
    return cleared;
  }

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = { running: 0, waiting: [], throughput: new Throughput() };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #mayStart(worker: Worker, lane: Lane): boolean {
    return lane.running < worker.concurrency && this.#running.size < this.#limit;
  }

  #start(run: Run, lane: Lane): void {
    lane.running++;
    this.#running.add(run);
    const startedAt = this.#host.monotonic();
    void this.#execute(run).then(() => {
      lane.running--;
      this.#running.delete(run);
      const now = this.#host.monotonic();
      lane.throughput.record(now - startedAt);
      this.#pace.record(now);
      this.#startWaiting(lane);
      if (this.idle) for (const resolve of this.#whenIdle.splice(0)) resolve();
      this.#freed();
    });
  }

  /** Fills the slot that has become free: from its own lane, or, under a limit of the process, from any other. */
  #startWaiting(own: Lane): void {
    if (this.#waiting === 0) return;
    if (this.#limit === Number.POSITIVE_INFINITY) {
      this.#startFrom(own);
      return;
    }
    for (let lane = this.#mostUrgent(); lane !== undefined; lane = this.#mostUrgent()) {
      if (this.#startFrom(lane)) return;
    }
  }

  /** The lane whose first waiting job goes first, of those that could do something with a slot. */
  #mostUrgent(): Lane | undefined {
    let most: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      const next = lane.waiting[0];
      if (next === undefined || !(next.over || this.#mayStart(next.worker, lane))) continue;
      if (most === undefined || byUrgency(lane, most) < 0) most = lane;
    }
    return most;
  }

  #startFrom(lane: Lane): boolean {
    for (let next = lane.waiting[0]; next !== undefined; next = lane.waiting[0]) {
      // Lost while it waited: its handler has not been called, and never will be here.
      const lost = next.over;
      if (!lost && !this.#mayStart(next.worker, lane)) return false;
      lane.waiting.shift();
      this.#waiting--;
      if (lost) this.#giveBack([next]);
      else {
        this.#start(next, lane);
        return true;
      }
    }
    return false;
  }

  /** Jobs that turned slow must not keep what was fetched ahead from other processes. */
  #watchOverdue(): void {
    this.#overdueCheck ??= this.#host.after(
      LONGEST_WAIT_MS / 2,
      () => {
        this.#overdueCheck = undefined;
        this.#returnOverdue();
        if (this.#waiting > 0) this.#watchOverdue();
      },
      false,
    );
  }

  #returnOverdue(): void {
    const arrivedBy = this.#host.monotonic() - LONGEST_WAIT_MS / 2;
    for (const lane of this.#lanes.values()) {
      const fresh = lane.waiting.findIndex((run) => run.claimedAt > arrivedBy);
      const overdue = lane.waiting.splice(0, fresh === -1 ? lane.waiting.length : fresh);
      if (overdue.length === 0) continue;
      this.#waiting -= overdue.length;
      this.#forgetPace(lane);
      this.#giveBack(overdue);
    }
  }

  /** Under a limit of the process it may be any worker's jobs that have become slow, and hold the slots of all. */
  #forgetPace(own: Lane): void {
    const lanes = this.#limit === Number.POSITIVE_INFINITY ? [own] : this.#lanes.values();
    for (const lane of lanes) lane.throughput.reset();
  }
}

/** The lane first whose first job is the most urgent. */
function byUrgency({ waiting: [a] }: Lane, { waiting: [b] }: Lane): number {
  return a === undefined || b === undefined ? 0 : compareUrgency(a.job, b.job);
}
