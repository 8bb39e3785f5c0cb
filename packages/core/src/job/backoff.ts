import type { BackoffOptions } from './backoff-options.js';
import { LATEST_DATE } from './dates.js';

/** Base of the exponential backoff, in milliseconds. */
export const DEFAULT_BASE_INTERVAL = 1_000;

/** Longest delay between two attempts, in milliseconds: 24 hours. */
export const DEFAULT_MAX_BACKOFF_DELAY = 86_400_000;

/** Jitter of {@link calculateBackoffDelay}; the engine's own default is the option `retryJitter`. */
export const DEFAULT_JITTER_FACTOR = 0.25;

/**
 * Moves a delay at random, so that jobs which failed together do not come back together.
 *
 * @param delay - Milliseconds.
 * @param factor - Share of the delay, 0 to 1; the delay is unchanged for 0 and below.
 * @returns A whole number within delay x (1 ± factor).
 */
export function applyJitter(delay: number, factor: number): number {
  return jittered(delay, factor, Math.random);
}

function jittered(delay: number, factor: number, random: () => number): number {
  if (!(factor > 0) || !(delay > 0)) return delay;
  const spread = delay * Math.min(factor, 1);
  const lowest = Math.ceil(delay - spread);
  const highest = Math.floor(delay + spread);
  // A delay such as 0.5 has no whole number nearby.
  if (highest < lowest) return Math.round(delay);
  return Math.min(highest, lowest + Math.floor(random() * (highest - lowest + 1)));
}

/**
 * The delay before the next attempt: 2^failCount x base, capped, jittered, capped again.
 *
 * @param failCount - Failures so far, the last one included.
 * @param baseInterval - Milliseconds.
 * @param maxDelay - Longest delay, in milliseconds.
 * @param jitterFactor - 0 for none.
 * @returns Milliseconds, never negative, always finite.
 *
 * @example
 * ```ts
 * import { calculateBackoffDelay } from '@monque/core';
 *
 * const delay = calculateBackoffDelay(3, 1_000, 60_000, 0); // 8000
 * ```
 */
export function calculateBackoffDelay(
  failCount: number,
  baseInterval: number = DEFAULT_BASE_INTERVAL,
  maxDelay: number = DEFAULT_MAX_BACKOFF_DELAY,
  jitterFactor: number = DEFAULT_JITTER_FACTOR,
): number {
  return backoffDelay(failCount, {
    type: 'exponential',
    delay: baseInterval,
    maxDelay,
    jitter: jitterFactor,
  });
}

/**
 * When the next attempt is due by the clock of this host; see {@link calculateBackoffDelay}.
 */
export function calculateBackoff(
  failCount: number,
  baseInterval?: number,
  maxDelay?: number,
  jitterFactor?: number,
): Date {
  const delay = calculateBackoffDelay(failCount, baseInterval, maxDelay, jitterFactor);
  return new Date(Math.min(Date.now() + delay, LATEST_DATE));
}

/**
 * The delay before the next attempt, in milliseconds, never negative, always finite.
 *
 * @param random - Gives numbers from 0 up to 1, for the jitter.
 */
export function backoffDelay(
  failCount: number,
  backoff: Required<BackoffOptions>,
  random: () => number = Math.random,
): number {
  const capped = capDelay(uncappedDelay(failCount, backoff), backoff.maxDelay);
  return capDelay(jittered(capped, backoff.jitter, random), backoff.maxDelay);
}

function uncappedDelay(failCount: number, { type, delay }: Required<BackoffOptions>): number {
  if (type === 'fixed') return delay;
  // 2^1024 is Infinity, and nothing times that is NaN: the cap makes numbers of both again.
  return type === 'linear' ? delay * failCount : delay * 2 ** failCount;
}

/** NaN counts as no delay, and even an unlimited delay ends within the calendar. */
function capDelay(delay: number, maxDelay: number): number {
  return Math.max(
    0,
    Math.min(delay || 0, Number.isNaN(maxDelay) ? DEFAULT_MAX_BACKOFF_DELAY : maxDelay, LATEST_DATE),
  );
}
