/** Options with every default filled in and every value checked. Milliseconds where it is a time. */
export interface ResolvedOptions {
  readonly collectionName: string;
  readonly pollInterval: number;
  readonly safetyPollInterval: number;
  /** Attempts, at least 1. */
  readonly maxRetries: number;
  readonly baseRetryInterval: number;
  readonly maxBackoffDelay: number;
  readonly retryJitter: number;
  readonly shutdownTimeout: number;
  readonly workerConcurrency: number;
  /** Infinity without a limit. */
  readonly instanceConcurrency: number;
  /** At most a third of `lockTimeout`. */
  readonly heartbeatInterval: number;
  readonly lockTimeout: number;
  /** For claims without a token: `lockTimeout` where the user set one, else 30 minutes. */
  readonly legacyLockTimeout: number;
  readonly recoverStaleJobs: boolean;
  readonly schedulerInstanceId: string;
  readonly jobRetention?: {
    readonly completed?: number;
    readonly failed?: number;
    readonly cancelled?: number;
    readonly interval: number;
  };
  readonly skipIndexCreation: boolean;
  readonly statsCacheTtlMs: number;
  /** Undefined: the store's own limit. */
  readonly maxPayloadSize?: number;
  readonly timezone: string;
}
