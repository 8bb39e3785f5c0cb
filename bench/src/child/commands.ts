import type { Bystanders, ClaimCount, WorkerRequest } from '../contenders/contender.js';

/** How jobs are handed in. */
export type EnqueueMode = 'one by one' | 'in flight' | 'bulk';

export interface EnqueueRequest {
  readonly mode: EnqueueMode;
  readonly count: number;
  readonly names: readonly string[];
  /** Milliseconds that each job takes; absent for jobs that do nothing. */
  readonly ms?: number;
}

export interface SendRequest {
  readonly count: number;
  readonly name: string;
  /** Milliseconds between two jobs; the actual ones vary at random around it. */
  readonly every: number;
  /** Ordinal of the first job. */
  readonly first: number;
  /** Whether the latencies of these jobs are wanted. */
  readonly timed: boolean;
  /** Milliseconds that each job takes; absent for jobs that do nothing. */
  readonly ms?: number;
}

export interface WorkRequest extends WorkerRequest {
  /** Jobs that all processes together are to handle. */
  readonly expected: number;
}

/** A moment of a run. */
export interface Mark {
  /** Jobs handled so far. */
  readonly handled: number;
  readonly at: number;
  readonly rss: number;
}

export interface WorkReport {
  readonly startedAt: number;
  readonly storedAt: number;
  readonly handled: number;
  /** Jobs that were handled more than once in this process. */
  readonly repeats: number;
  /** One bit for each job, set where it was handled here; in base64. */
  readonly seen: string;
  readonly marks: readonly Mark[];
  /** Milliseconds from enqueue to start, of jobs that carried their time. */
  readonly latencies: readonly number[];
  /** Share of one core that the process took from start until all was stored. */
  readonly cpu: number;
  /** Most memory that was resident, in bytes. */
  readonly peakRss: number;
  readonly claims?: ClaimCount;
}

export interface IdleReport {
  /** Absent where there is no server to command. */
  readonly commandsPerSecond?: number;
  /** Share of one core. */
  readonly cpu: number;
}

/** What the benchmark asks of a process. Arguments and answers travel as messages. */
export interface Commands {
  prepare(names: readonly string[]): Promise<void>;
  fill(kind: Bystanders, count: number, name: string): Promise<boolean>;
  /** Resolves with the milliseconds that it took, or with undefined where the system has no such call. */
  enqueue(request: EnqueueRequest): Promise<number | undefined>;
  /** Sends jobs at a steady pace. */
  send(request: SendRequest): Promise<void>;
  /** Connects a worker and starts it; resolves once it has started. */
  work(request: WorkRequest): Promise<void>;
  /** Jobs handled so far. */
  progress(): Promise<number>;
  /** Waits until all outcomes are stored. */
  report(): Promise<WorkReport>;
  /** Watches the process do nothing for so many milliseconds. */
  idle(ms: number): Promise<IdleReport>;
  rss(): Promise<number>;
  close(): Promise<void>;
}
