import type { BatchRecord } from '../../store/batch-types.js';
import { pause } from '../host.js';
import type { FollowUpParts } from './follow-up-parts.js';

/** Tries before a record that keeps changing under our hands is given up; by then it has changed as often. */
const MAX_TRIES = 200;
const LONGEST_PAUSE_MS = 100;

/** What a record is to become; undefined where it is to stay as it is. */
type BatchChange = (
  record: BatchRecord,
) => Omit<BatchRecord, 'version'> | undefined | Promise<Omit<BatchRecord, 'version'> | undefined>;

/**
 * Changes the record of a batch. Whoever else changed it meanwhile goes first: then the change is worked out again from
 * the record as it is. Answers the new record; undefined where there is none, or the change leaves it as it is.
 */
export async function updateBatch(
  { batches, clock, host }: Pick<FollowUpParts, 'batches' | 'clock' | 'host'>,
  id: string,
  change: BatchChange,
): Promise<BatchRecord | undefined> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const [record] = await batches.get([id]);
    const changed = record && (await change(record));
    if (record === undefined || changed === undefined) return undefined;
    const next = { ...changed, updatedAt: clock.now(), version: record.version + 1 };
    if (await batches.replace(next)) return next;
    await pause(host, host.random() * Math.min(tries, LONGEST_PAUSE_MS), new AbortController().signal, true);
  }
  throw new Error(`The record of batch "${id}" is changed by too many at the same time. Try again`);
}
