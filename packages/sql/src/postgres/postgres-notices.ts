import type { Notices } from '../notices.js';
import { ask } from '../operation.js';

/** Ids in one message, which may have 8,000 bytes. */
const IDS_PER_MESSAGE = 100;

const NOTIFY = 'SELECT pg_notify($1, $2)';

/** Messages to all who listen. The server delivers them when, and if, the transaction commits. */
export function postgresNotices(channel: string): Notices {
  return {
    *due(nextRunAt, name) {
      yield* ask({ sql: NOTIFY, parameters: [channel, dueMessage(nextRunAt, name)] });
    },
    *stopped(ids) {
      for (let start = 0; start < ids.length; start += IDS_PER_MESSAGE) {
        const message = `stopped ${ids.slice(start, start + IDS_PER_MESSAGE).join(' ')}`;
        yield* ask({ sql: NOTIFY, parameters: [channel, message] });
      }
    },
  };
}

/** Says for when jobs wait, and under which name if they share one. */
export function dueMessage(nextRunAt: Date, name: string | undefined): string {
  return name === undefined ? `due ${nextRunAt.getTime()}` : `due ${nextRunAt.getTime()} ${name}`;
}

/** What a message says. */
export type Message =
  | { readonly type: 'due'; readonly nextRunAt: Date; readonly name: string | undefined }
  | { readonly type: 'stopped'; readonly ids: readonly string[] };

/** Reads a message. Anything else than ours is somebody who has stored a job by other means: look at once. */
export function parseMessage(text: string): Message {
  const [type, ...words] = text.split(' ');
  if (type === 'stopped') return { type, ids: words };
  const time = type === 'due' ? Number(words[0]) : 0;
  return { type: 'due', nextRunAt: new Date(Number.isNaN(time) ? 0 : time), name: words[1] };
}
