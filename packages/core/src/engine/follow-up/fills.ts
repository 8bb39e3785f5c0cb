import { JobStatus } from '../../job/status.js';
import type { BatchFill, BatchRecord } from '../../store/batch-types.js';
import { completeBatch } from './complete-batch.js';
import type { FollowUpParts } from './follow-up-parts.js';
import { updateBatch } from './update-batch.js';

/** Members released or removed by one command. */
const PORTION = 1_000;

/** Silence after which whoever fills counts as dead, in milliseconds. */
const FILL_TIMEOUT_MS = 60_000;

/** Releases the members of a committed fill, which then is over; the batch may be complete by that. */
export async function finishFill(
  parts: FollowUpParts,
  id: string,
  token: string,
  now = parts.clock.now(),
): Promise<void> {
  while ((await parts.store.changeWhere(membersOf(id, token), { type: 'proceed' }, now, PORTION)) > 0) {
    parts.released(now);
  }
  await dropFill(parts, id, token);
  await completeBatch(parts, id);
}

/**
 * Gives a fill up, unless it is committed; answers what it is now, or undefined where it is over. The mark comes first, so
 * that it cannot be committed any more, then its members go. The fill itself stays: an insert whose answer never came
 * may still take effect. When it has been silent for long enough, {@link forgetFill} ends it.
 */
export async function undoFill(
  parts: FollowUpParts,
  id: string,
  token: string,
): Promise<BatchFill['state'] | undefined> {
  const at = parts.clock.now();
  let found: BatchFill | undefined;
  await updateBatch(parts, id, (record) => {
    found = fillOf(record, token);
    return found?.state === 'open' ? withFill(record, { ...found, state: 'undone', at }) : undefined;
  });
  if (found?.state === 'committed') return 'committed';
  // Also where the fill is over: others gave it up, and what came too late for them is still there.
  await removeMembers(parts, id, token);
  return found && 'undone';
}

/** Ends a fill that was given up, and with the first one the batch, which never came into being. */
export async function forgetFill(parts: FollowUpParts, id: string, token: string): Promise<void> {
  await removeMembers(parts, id, token);
  const [record] = await parts.batches.get([id]);
  const fill = record && fillOf(record, token);
  if (record === undefined || fill?.state !== 'undone') return;
  if (fill.isFirst) {
    // Nobody else knows of the batch, so nobody else changes its record.
    await parts.batches.remove(record);
    return;
  }
  await dropFill(parts, id, token);
  await completeBatch(parts, id);
}

/** Ends what processes left that died while they filled a batch. */
export async function lookAfterFills(parts: FollowUpParts, { id, fills }: BatchRecord): Promise<void> {
  const deadSince = parts.clock.millis() - FILL_TIMEOUT_MS;
  for (const { token, at, state } of fills) {
    if (at.getTime() > deadSince) continue;
    if (state === 'open') await undoFill(parts, id, token);
    else if (state === 'undone') await forgetFill(parts, id, token);
    else await finishFill(parts, id, token);
  }
}

export function fillOf({ fills }: BatchRecord, token: string): BatchFill | undefined {
  return fills.find((fill) => fill.token === token);
}

/** The record with a fill in the place of its previous form. */
export function withFill(record: BatchRecord, fill: BatchFill): BatchRecord {
  return { ...record, fills: record.fills.map((other) => (other.token === fill.token ? fill : other)) };
}

async function dropFill(parts: FollowUpParts, id: string, token: string): Promise<void> {
  await updateBatch(parts, id, (record) => {
    const others = record.fills.filter((fill) => fill.token !== token);
    return others.length === record.fills.length ? undefined : { ...record, fills: others };
  });
}

async function removeMembers({ store }: FollowUpParts, id: string, token: string): Promise<void> {
  while ((await store.removeWhere(membersOf(id, token), PORTION)) > 0);
}

function membersOf(id: string, token: string) {
  return { memberOf: id, fill: token, statuses: [JobStatus.AWAITING_BATCH] };
}
