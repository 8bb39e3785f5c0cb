/** Told of changes, whichever process made them. Calls are cheap and never throw. */
export interface WatchObserver<Id = unknown> {
  /**
   * A job waits for this time: it is new, or goes back to pending. May come late or more than once, and may
   * name an earlier time where the change left the due time as it was.
   */
  due(nextRunAt: Date, name: string | undefined): void;
  /** A job was cancelled or removed; a process that runs it should look. */
  stopped(id: Id): void;
  /** The subscription broke; nothing more comes from it. */
  lost(error: Error): void;
}

/** A running subscription. */
export interface Subscription {
  /** Ends it. Idempotent; nothing is observed afterwards. */
  close(): Promise<void>;
}
