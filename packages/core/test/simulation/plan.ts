/** All that a history is made of. The same plan gives the same history. */
export interface Plan {
  /** Decides what the plan leaves open: latencies, faults, and the order of steps at the same moment. */
  readonly seed: number;
  /** In milliseconds; all other times of an instance follow from it. */
  readonly lockTimeout: number;
  /** Whether the store has a stream of changes. */
  readonly streams: boolean;
  /** Shares of the calls to the store that are slow and that fail. */
  readonly slow: number;
  readonly failing: number;
  readonly machines: readonly MachinePlan[];
  readonly steps: readonly Step[];
}

/** A machine, on which one process runs at a time. */
export interface MachinePlan {
  /** What its clock is off, in milliseconds. */
  readonly skew: number;
  readonly concurrency: number;
  /** Of the whole process; 0 for none. */
  readonly limit: number;
  /** Whether its processes follow each other under one `schedulerInstanceId`. */
  readonly fixedId: boolean;
}

/** What a handler does in one run. */
export interface Behaviour {
  readonly type:
    | 'succeed'
    | 'fail'
    | 'fail for good'
    | 'snooze'
    | 'cancel itself'
    /** Until the history calms down. */
    | 'hang'
    /** Until its signal aborts, and then throws. */
    | 'hang until aborted'
    /** Keeps the event loop busy all the while. */
    | 'block';
  /** Time that it takes, in parts of `lockTimeout`. */
  readonly takes: number;
}

/** A job that somebody stores. */
export interface JobPlan {
  readonly name: string;
  readonly uniqueKey?: string;
  readonly onDuplicate: 'keep' | 'replace' | 'reject';
  readonly priority: number;
  /** In parts of `lockTimeout`. */
  readonly delay: number;
  readonly hold: boolean;
  /** In parts of `lockTimeout`; 0 for none. */
  readonly timeout: number;
  readonly maxRetries: number;
  /** What its runs do, one after the other; those beyond succeed at once. */
  readonly script: readonly Behaviour[];
}

/** Something that happens from outside. Numbers choose among what there is at that time. */
export type Event =
  | { readonly type: 'enqueue'; readonly job: JobPlan }
  | { readonly type: 'enqueueMany'; readonly jobs: readonly JobPlan[] }
  | { readonly type: 'schedule'; readonly minutes: number; readonly job: JobPlan }
  | { readonly type: 'cancel'; readonly target: number; readonly running: boolean }
  | { readonly type: 'retry' | 'delete' | 'release'; readonly target: number }
  | { readonly type: 'reschedule'; readonly target: number; readonly delay: number }
  | { readonly type: 'cancelAll' | 'retryAll' | 'deleteAll'; readonly name: string }
  /** The process dies after so many more of its own steps: timers that fire, answers that come. */
  | { readonly type: 'kill'; readonly steps: number }
  | { readonly type: 'stop' | 'start' | 'drain' | 'break stream' }
  | { readonly type: 'freeze'; readonly parts: number }
  | { readonly type: 'set clock'; readonly skew: number }
  | { readonly type: 'outage'; readonly parts: number; readonly hanging: boolean };

/** An event, the machine on which it happens, and the time before it in parts of `lockTimeout`. */
export interface Step {
  readonly wait: number;
  readonly machine: number;
  readonly event: Event;
}
