import type { Notices } from '../notices.js';
import type { Channel } from './channel.js';
import type { HeldClaims } from './held-claims.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** Tells the watchers of this process once the write has been committed; those of others see that the file changed. */
export function sqliteNotices(connection: SqliteConnection, channel: Channel, held: HeldClaims): Notices {
  return {
    *due(nextRunAt, name) {
      connection.afterCommit(() => channel.due(nextRunAt, name));
    },
    *stopped(ids) {
      if (ids.length === 0) return;
      connection.afterCommit(() => {
        held.stopped(ids);
        channel.stopped(ids);
      });
    },
  };
}
