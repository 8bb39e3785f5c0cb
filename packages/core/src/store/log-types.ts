/** A line of a job's log. */
export interface JobLogEntry {
  /** When it was written. */
  at: Date;
  /** The attempt that wrote it, 1 for the first. */
  attempt: number;
  /** `info` for what a handler logs, `error` for a failed attempt. */
  level: 'info' | 'error';
  /** The text, or the error's message. */
  text: string;
  /** The error's stack. */
  stack?: string;
}

/** A log entry that is about to be stored. */
export interface NewLogEntry<Id = unknown> extends JobLogEntry {
  readonly jobId: Id;
}

/** Entries that a store keeps of one job; the oldest go first. */
export const MAX_LOG_ENTRIES = 1_000;
