/** What a benchmark's job carries. */
export interface JobData {
  /** Ordinal of the job, from 0: by it every job is seen to be handled once. */
  readonly n: number;
  /** Monotonic time just before the job was enqueued, where its latency is measured. */
  readonly sentAt?: number;
  /** Milliseconds that the job takes; absent for one that does nothing. */
  readonly ms?: number;
}

export interface NewJob {
  readonly name: string;
  readonly data: JobData;
}

/** Handles one job. Returns nothing for a no-op, so that no system waits for a promise that does nothing. */
export type Handle = (data: JobData) => Promise<void> | undefined;

export interface WorkerRequest {
  readonly names: readonly string[];
  /** Jobs that may run at the same time in this process. */
  readonly concurrency: number;
  /** Which of a system's documented settings matter: those for many jobs, or those for a soon start. */
  readonly tuning: 'throughput' | 'latency';
}

/** A worker that is connected and ready; the clock of a measurement starts with `start`. */
export interface ContenderWorker {
  start(): Promise<void>;
  /**
   * Resolves with the monotonic time at which the outcomes of all jobs were stored.
   *
   * @param handled - How many jobs this process has handled.
   * @param handledAt - When it began the last of them.
   */
  stored(handled: number, handledAt: number): Promise<number>;
}

/** Jobs that lie beside those that are measured. */
export type Bystanders = 'finished' | 'future';

/** Claims of a process, and those among them that another process was faster to take. */
export interface ClaimCount {
  readonly asked: number;
  readonly lost: number;
}

/** One system at work in one process, connected to its server. */
export interface Contender {
  /** Makes the empty queue of the names. Called once per measurement. */
  prepare(names: readonly string[]): Promise<void>;
  enqueue(job: NewJob): Promise<unknown>;
  /** Absent where a system has no call for many jobs. */
  enqueueMany?(jobs: readonly NewJob[]): Promise<unknown>;
  createWorker(request: WorkerRequest, handle: Handle): Promise<ContenderWorker>;
  /** Puts jobs of this name beside the measured ones, without going through the system one by one. */
  fill?(kind: Bystanders, count: number, name: string): Promise<void>;
  /** Commands, or transactions, that the server has had from this system so far; absent where there is no server. */
  commandCount?(): Promise<number | undefined>;
  claimCount?(): ClaimCount | undefined;
  /** Stops and disconnects. */
  close(): Promise<void>;
}

/** Where a measurement takes place. */
export interface Target {
  readonly uri: string;
  /** Names a database, schema or prefix of the measurement's own. */
  readonly namespace: string;
  /** Whether commands are counted: off where the count is not wanted, since counting costs a little. */
  readonly counting: boolean;
}

/** Where a system keeps its jobs; SQLite is a folder of files and no server. */
export type ServerKind = 'mongodb' | 'sqlite' | 'postgres' | 'mariadb' | 'redis';

/** A system as the benchmark knows it before it runs. */
export interface ContenderProfile {
  readonly id: string;
  readonly title: string;
  readonly server: ServerKind;
  /** Package whose version is reported. */
  readonly package: string;
  /** How many jobs a second: slow ones get fewer jobs, or their runs would never end. */
  readonly pace: 'slow' | 'fast';
  /** The documented settings that it runs with, for people to read. */
  readonly settings: readonly string[];
  /** Scenarios that make no sense for it, and why. */
  readonly without?: Readonly<Record<string, string>>;
  connect(target: Target): Promise<Contender>;
}
