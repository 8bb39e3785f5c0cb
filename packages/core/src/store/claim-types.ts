import type { StoredJob } from './query-types.js';

/** How many jobs of one name are wanted. */
export interface Want {
  readonly name: string;
  readonly limit: number;
}

/** A request for due jobs. */
export interface ClaimRequest {
  /** The instance that takes them, stored as `claimedBy`. */
  readonly owner: string;
  /** Fences this claim; new for every request, shared by the jobs that it takes. */
  readonly token: string;
  readonly wants: readonly Want[];
  /** Most jobs over all names. */
  readonly total: number;
  /** Jobs due at or before this time. */
  readonly now: Date;
  /** Stored on each claimed job, in milliseconds. */
  readonly heartbeatInterval: number;
}

/** What a claim took. */
export interface ClaimResult<Id = unknown> {
  /**
   * The jobs as they are now stored, in the order in which they should start. Times that the store stamps by its
   * own clock may differ a little from those given here.
   */
  readonly jobs: StoredJob<Id>[];
  /**
   * Whether more of the wanted names may be due right now. Never false while that is so: a claim may take less than
   * it could, if it says so here.
   */
  readonly more: boolean;
}

/** A claim that a process believes to hold. */
export interface HeldClaim<Id = unknown> {
  readonly id: Id;
  readonly token: string;
}

/** A claim that no longer holds. */
export interface LostClaim<Id = unknown> extends HeldClaim<Id> {
  /** `cancelled` and `deleted` say what became of the job; `taken` is everything else. */
  readonly reason: 'cancelled' | 'deleted' | 'taken';
}

/** Which claims count as abandoned. */
export interface RecoverRequest {
  /** The time as the engine knows it; it only narrows the search, the server's clock decides. */
  readonly now: Date;
  /** Silence after which a claim with a token is dead, in milliseconds. */
  readonly lockTimeout: number;
  /** The same for claims without a token, which an older Monque made and does not renew. */
  readonly legacyLockTimeout: number;
}
