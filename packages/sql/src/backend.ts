import type {
  ClaimRequest,
  ClaimResult,
  HeldClaim,
  Settlement,
  Subscription,
  WatchObserver,
} from '@monque/core';
import type { SqlContext } from './context.js';
import type { Operation } from './operation.js';
import type { Writer } from './writer.js';

/** What an operation is given within a user's own transaction. */
export interface Inside {
  readonly context: SqlContext;
  readonly writer: Writer;
}

/** A run that has ended, or a claim that was given back. */
export type Ended = Settlement<string> | HeldClaim<string>;

/** An open database, with what each kind of database does in its own way. */
export interface Backend extends Inside {
  now(): Promise<Date>;
  claim(request: ClaimRequest): Promise<ClaimResult<string>>;
  nextDueAt(names: readonly string[], after: Date): Promise<Date | undefined>;
  watch(observer: WatchObserver<string>): Promise<Subscription>;
  /** Told of runs that have ended and of claims that were given back. */
  ended?(claims: readonly Ended[]): void;
  /**
   * Runs an operation within the transaction that a user has begun.
   *
   * @throws InvalidOptionError where the session is none.
   */
  inSession<T>(session: unknown, operation: (inside: Inside) => Operation<T>): Promise<T>;
  /** Ends what was opened here. */
  close(): Promise<void>;
}
