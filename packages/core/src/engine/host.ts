import { randomUUID } from 'node:crypto';

/** A timer that has been set. */
export interface Timer {
  /** Takes it back; nothing happens where it has fired already. */
  cancel(): void;
}

/**
 * What the engine takes from the machine it runs on: time, timers and chance. A seam, so that a simulation
 * can run thousands of histories in virtual time.
 */
export interface Host {
  /** The host's own idea of the time, in milliseconds since 1970; may be wrong and may jump. */
  wallClock(): number;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /**
   * Calls `callback` once after `ms` milliseconds; any finite number works, also beyond the longest timer of Node.
   *
   * @param keepAlive - Whether the timer keeps the process from ending by itself.
   */
  after(ms: number, callback: () => void, keepAlive: boolean): Timer;
  /** A random number from 0 up to 1. */
  random(): number;
  /** A text that no other call returns, in whatever process. */
  uniqueText(): string;
}

/** Node's longest timer; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine this process runs on. */
export const nodeHost: Host = {
  wallClock: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  uniqueText: () => randomUUID(),
  after(ms, callback, keepAlive) {
    const end = performance.now() + ms;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const left = end - performance.now();
      handle = setTimeout(left > LONGEST_TIMER ? arm : callback, Math.min(Math.max(left, 0), LONGEST_TIMER));
      if (!keepAlive) handle.unref();
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
export function pause(host: Host, ms: number, signal: AbortSignal, keepAlive = false): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = host.after(ms, done, keepAlive);
    signal.addEventListener('abort', done, { once: true });
  });
}
