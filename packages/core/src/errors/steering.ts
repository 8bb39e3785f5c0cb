import { checkDate, LATEST_DATE } from '../job/dates.js';
import { checkDuration } from '../options/checks.js';
import { MonqueError, nameErrors } from './monque-error.js';

/**
 * Throw it in a handler when trying again is pointless: the job fails at once, whatever attempts are left.
 *
 * @example
 * ```ts
 * import { PermanentError } from '@monque/core';
 *
 * function charge(card: { expired: boolean }) {
 *   if (card.expired) throw new PermanentError('The card has expired');
 * }
 * ```
 */
export class PermanentError extends MonqueError {
  static {
    nameErrors(PermanentError, 'PermanentError');
  }
  override readonly code = 'MONQUE_PERMANENT';
}

/**
 * Throw it in a handler to be called again later. That is no failure: no attempt is used up.
 *
 * @example
 * ```ts
 * import { RetryAfter } from '@monque/core';
 *
 * function rateLimited(response: Response) {
 *   if (response.status === 429) throw new RetryAfter(30_000);
 * }
 * ```
 */
export class RetryAfter extends MonqueError {
  static {
    nameErrors(RetryAfter, 'RetryAfter');
  }
  override readonly code = 'MONQUE_RETRY_AFTER';
  readonly #when: number | Date;

  /** @param when - Milliseconds from now, or a point in time; one that has passed means at once. */
  constructor(when: number | Date) {
    const checked =
      typeof when === 'number' ? checkDuration(when, 'RetryAfter') : checkDate(when, 'RetryAfter');
    super(typeof checked === 'number' ? `Retry after ${checked} ms` : `Retry at ${checked.toISOString()}`);
    this.#when = checked;
  }

  /** When to run again, if it is `now`. */
  until(now: Date): Date {
    if (this.#when instanceof Date) return new Date(this.#when);
    return new Date(Math.min(now.getTime() + this.#when, LATEST_DATE));
  }
}

/**
 * Throw it in a handler to end the job as cancelled: neither done nor failed.
 *
 * @example
 * ```ts
 * import { CancelRun } from '@monque/core';
 *
 * function remind(user: { unsubscribed: boolean }) {
 *   if (user.unsubscribed) throw new CancelRun('The user has unsubscribed');
 * }
 * ```
 */
export class CancelRun extends MonqueError {
  static {
    nameErrors(CancelRun, 'CancelRun');
  }
  override readonly code = 'MONQUE_CANCEL_RUN';
  /** Why, if that was said. */
  declare readonly reason?: string;

  constructor(reason?: string) {
    super(reason ?? 'The run was cancelled by its handler');
    if (reason !== undefined) this.reason = reason;
  }
}

/** Whether a thrown value asks for no further attempt. */
export function isPermanent(thrown: unknown): thrown is PermanentError {
  return codeOf(thrown) === 'MONQUE_PERMANENT';
}

/** Whether a thrown value asks for another call later. */
export function isRetryAfter(thrown: unknown): thrown is RetryAfter {
  return codeOf(thrown) === 'MONQUE_RETRY_AFTER' && typeof (thrown as RetryAfter).until === 'function';
}

/** Whether a thrown value asks to end the job as cancelled. */
export function isCancelRun(thrown: unknown): thrown is CancelRun {
  return codeOf(thrown) === 'MONQUE_CANCEL_RUN';
}

/** By code, not by class: handlers may come with a copy of the package of their own. Handlers throw anything. */
function codeOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    return (thrown as { code?: unknown }).code;
  } catch {
    return undefined;
  }
}
