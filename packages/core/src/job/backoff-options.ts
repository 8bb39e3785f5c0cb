/**
 * How long to wait before the next attempt.
 *
 * @example
 * ```ts
 * import type { BackoffOptions } from '@monque/core';
 *
 * const everyTenSeconds: BackoffOptions = { type: 'fixed', delay: 10_000 };
 * ```
 */
export interface BackoffOptions {
  /**
   * `exponential`: delay x 2^failCount; `linear`: delay x failCount; `fixed`: delay.
   * The fail count includes the failure that has just happened.
   */
  type: 'exponential' | 'linear' | 'fixed';
  /**
   * Base of the calculation, in milliseconds.
   *
   * @defaultValue the instance's `baseRetryInterval`
   */
  delay?: number;
  /**
   * Longest wait, in milliseconds.
   *
   * @defaultValue the instance's `maxBackoffDelay`
   */
  maxDelay?: number;
  /**
   * Share of the delay, 0 to 1, by which it is moved at random in either direction.
   *
   * @defaultValue the instance's `retryJitter`
   */
  jitter?: number;
}
