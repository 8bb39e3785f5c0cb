import { OPEN_STATUSES } from '../../job/status.js';
import type { BatchOutcome, MemberCounts } from '../../store/batch-types.js';
import { toBatch } from '../../workflow/batch.js';
import type { FollowUpParts } from './follow-up-parts.js';
import { followBatch } from './resolve-waiting.js';
import { updateBatch } from './update-batch.js';

/**
 * Marks a batch as complete if it is: no fill, and no member that is not final. Of several who find that at the same
 * moment one makes the mark, and follows up; if it dies before it has, the sweep does.
 */
export async function completeBatch(parts: FollowUpParts, id: string): Promise<void> {
  const { batches, clock, emit } = parts;
  let counts: MemberCounts = {};
  const record = await updateBatch(parts, id, async (open) => {
    if (open.finishedAt !== undefined || open.fills.length > 0) return undefined;
    if (await batches.hasOpenMember(id)) return undefined;
    counts = (await batches.counts([id])).get(id) ?? {};
    // One that was retried by hand in between.
    if (OPEN_STATUSES.some((status) => (counts[status] ?? 0) > 0)) return undefined;
    return { ...open, finishedAt: clock.now(), outcome: outcomeOf(counts) };
  });
  if (record?.outcome === undefined) return;
  emit('batch:complete', { batch: toBatch(record, counts) });
  await followBatch(parts, id, record.outcome);
}

function outcomeOf({ failed = 0, cancelled = 0 }: MemberCounts): BatchOutcome {
  if (failed > 0) return 'failed';
  return cancelled > 0 ? 'cancelled' : 'completed';
}
