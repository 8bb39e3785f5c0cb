import type { ManageParts } from './manage-parts.js';
import { readName, readQuery } from './query-input.js';
import { type QueueStats, toQueueStats } from './stats.js';

/** Counts jobs by status, of one name or of all. */
export async function getQueueStats(
  { stats }: Pick<ManageParts<unknown>, 'stats'>,
  filter: unknown,
): Promise<QueueStats> {
  const { name } = readQuery(filter ?? {}, 'stats filter', ['name']);
  return toQueueStats(await stats.counts(name === undefined ? undefined : readName(name, 'stats filter')));
}
