import type { Host, Timer } from '../engine/host.js';
import { InvalidOptionError } from '../errors/input-errors.js';
import { WaitTimeoutError } from '../errors/operation-errors.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import { checkDuration, checkKeys } from '../options/checks.js';
import type { StoredJob } from '../store/query-types.js';
import { isFinal, type WaitRoom } from './wait-room.js';

/** How long to wait for a job. */
export interface WaitForJobOptions {
  /**
   * Longest wait in milliseconds; then the call rejects with `WaitTimeoutError`, and the job goes on.
   *
   * @defaultValue none
   */
  timeout?: number;
  /** Ends the wait; the call rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** What waiting stands on. */
export interface WaitParts<Id> {
  readonly store: Pick<OutsideStore<Id>, 'parseId' | 'get'>;
  readonly waitRoom: WaitRoom<Id>;
  readonly host: Host;
}

/** Waits until a job is final, and answers it; null where there is none, or where it is removed meanwhile. */
export async function waitForJob<Id>(
  { store, waitRoom, host }: WaitParts<Id>,
  id: unknown,
  options: WaitForJobOptions | undefined,
): Promise<StoredJob<Id> | null> {
  const { timeout, signal } = checkWaitOptions(options);
  signal?.throwIfAborted();
  const parsed = store.parseId(id);
  if (parsed === undefined) return null;

  let timer: Timer | undefined;
  let leave: (() => void) | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise<StoredJob<Id> | null>((resolve, reject) => {
      // Into the room first, and only then the first look: what happens between the two is then seen by either.
      leave = waitRoom.enter({ id: parsed, settle: resolve, fail: reject });
      store.get([parsed]).then(([job]) => {
        if (job === undefined || isFinal(job)) resolve(job ?? null);
      }, reject);
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      if (timeout === undefined) return;
      const late = () => reject(new WaitTimeoutError(lateness(parsed, timeout), String(parsed)));
      timer = host.after(timeout, late, true);
    });
  } finally {
    leave?.();
    timer?.cancel();
    if (abort) signal?.removeEventListener('abort', abort);
  }
}

function lateness(id: unknown, timeout: number): string {
  return `Job ${String(id)} did not become final within ${timeout} ms. It goes on: wait again, or pass a longer timeout`;
}

/** Asks what only a real one answers. */
function isAbortSignal(value: unknown): value is AbortSignal {
  try {
    return value instanceof AbortSignal && typeof value.aborted === 'boolean';
  } catch {
    return false;
  }
}

function checkWaitOptions(options: unknown): WaitForJobOptions {
  const { timeout, signal } = checkKeys(options, ['timeout', 'signal'], 'wait options');
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw new InvalidOptionError('signal', 'Option "signal" must be an AbortSignal');
  }
  return {
    ...(timeout !== undefined && { timeout: checkDuration(timeout, 'timeout') }),
    ...(signal !== undefined && { signal }),
  };
}
