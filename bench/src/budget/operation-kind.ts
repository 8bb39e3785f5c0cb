import type { Document } from 'mongodb';

/**
 * What an operation is for:
 *
 * - enqueue: stores jobs, and finds those that hold a unique key
 * - claim: looks for due jobs, sets them to processing, reads which of them it got
 * - settle: ends claims, by an outcome or by giving them back
 * - follow-up: looks for what waits for jobs that have ended
 * - lease: renews and checks claims
 * - recurring: looks at the recurring templates
 * - stream: the stream of changes
 * - other: all else
 */
export type OperationKind =
  | 'enqueue'
  | 'claim'
  | 'settle'
  | 'follow-up'
  | 'lease'
  | 'recurring'
  | 'stream'
  | 'other';

/**
 * Told by as little of a command's shape as possible, so that a query may change without this. Takes a command as it
 * was sent, and also one statement of it, as the server's profiler has it.
 */
export function kindOf(command: Document): OperationKind {
  if ('insert' in command) return 'enqueue';
  if ('find' in command) {
    return String(command.find).endsWith('_recurring') ? 'recurring' : kindOfFind(command.filter ?? {});
  }
  if ('getMore' in command) return command.maxTimeMS === undefined ? 'claim' : 'stream';
  if ('aggregate' in command || 'killCursors' in command) return 'stream';
  const updates = updatesOf(command);
  if (updates.length === 0) return 'other';
  const statuses = updates.map(({ $set }) => $set?.status);
  if (statuses.includes('processing')) return 'claim';
  return statuses.some((status) => status !== undefined) ? 'settle' : 'lease';
}

function kindOfFind(filter: Document): OperationKind {
  if ('uniqueKey' in filter) return 'enqueue';
  if ('parentJobId' in filter) return 'follow-up';
  if (!('_id' in filter) || 'claimToken' in filter) return 'claim';
  return 'updatedAt' in filter ? 'settle' : 'lease';
}

/** The modifications that a command makes; an update by pipeline gives its stages. */
function updatesOf(command: Document): Document[] {
  if ('updates' in command) return command.updates.flatMap(({ u }: Document) => u);
  if ('findAndModify' in command) return [command.update ?? {}].flat();
  return 'u' in command ? [command.u].flat() : [];
}
