import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError } from '@monque/core';

/** First and longest pause before the next try, in milliseconds. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 25;
/** How long another connection may keep the file locked before somebody is told, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Runs something until no other connection is in its way. SQLite lets one connection write at a time, and says busy to
 * the others. Waiting happens here and not in SQLite, which would keep the whole process from doing anything else.
 */
export async function retryBusy<T>(run: () => T): Promise<T> {
  const began = performance.now();
  for (let longest = FIRST_PAUSE_MS; ; longest = Math.min(LONGEST_PAUSE_MS, longest * 2)) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - began > PATIENCE_MS) {
        throw new ConnectionError(
          'Another connection has kept the SQLite file locked for a minute. Look for a transaction that was not ended',
          { cause: error },
        );
      }
    }
    // Random, so that processes that wait for each other do not do it in step.
    await pause(Math.random() * longest);
  }
}

/** The connection is in a transaction of its user's, in which nothing of ours has a place. */
export class ConnectionInUse extends Error {}

/** Whether another connection, or the user's own transaction, is in the way. */
export function isBusy(error: unknown): boolean {
  if (error instanceof ConnectionInUse) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}
