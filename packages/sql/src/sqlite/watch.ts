import type { Subscription, WatchObserver } from '@monque/core';
import { runAtOnce } from '../operation.js';
import type { Channel } from './channel.js';
import type { HeldClaims } from './held-claims.js';
import { isBusy } from './retry-busy.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** How often to look whether another process has written, in milliseconds. A look takes a few microseconds. */
const LOOK_INTERVAL_MS = 20;
/** Time between two looks at what happened to the jobs that this store holds, in milliseconds. */
const HELD_INTERVAL_MS = 250;

/** An earlier time than any: what changed is not known, so something may be due. */
const AT_ONCE = new Date(0);

/**
 * Subscribes to what stores of this process tell, to the version of the file, which changes with each commit of another
 * connection, and to what the user writes on this one. What was written cannot be seen from it: whoever is told looks.
 */
export function watch(
  connection: SqliteConnection,
  channel: Channel,
  held: HeldClaims,
  observer: WatchObserver<string>,
): Subscription {
  // Wrapped: the same observer may be subscribed twice, and each subscription ends on its own.
  const own: WatchObserver<string> = {
    due: (nextRunAt, name) => observer.due(nextRunAt, name),
    stopped: (id) => observer.stopped(id),
    lost: (error) => observer.lost(error),
  };
  const version = connection.database.prepare('PRAGMA data_version').pluck(true);
  const state = () => `${version.get()} ${connection.usersWrites?.count ?? 0}`;
  let seen = state();
  let heldSeen = seen;
  let heldAt = 0;
  const look = () => {
    // In a transaction of the user's on the same connection the version stands still.
    if (connection.database.inTransaction) return;
    try {
      const current = state();
      if (current !== seen) {
        seen = current;
        own.due(AT_ONCE, undefined);
      }
      if (current !== heldSeen && performance.now() - heldAt >= HELD_INTERVAL_MS) {
        heldSeen = current;
        heldAt = performance.now();
        // To all who watch: only the first of them who looks finds it.
        channel.stopped(runAtOnce(held.lost(), connection.send));
      }
    } catch (error) {
      if (isBusy(error)) return;
      end();
      own.lost(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  timer.unref();
  const end = () => {
    clearInterval(timer);
    channel.delete(own);
  };
  channel.add(own);
  return { close: async () => end() };
}
