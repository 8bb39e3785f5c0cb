import type { HeldClaim, JobProgress } from '@monque/core';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { JobState } from '../schema/columns.js';

/** Stores how far a run has come, while its claim holds; answers whether it did. Index: PK_Jobs. */
export function* saveProgress(
  { dialect }: SqlContext,
  { id, token }: HeldClaim<string>,
  progress: JobProgress,
): Operation<boolean> {
  const query = dialect.builder
    .updateTable('Jobs')
    .set({ Progress: JSON.stringify(progress), UpdatedAt: dialect.toTime(progress.at) })
    .where('Id', '=', id)
    .where('ClaimToken', '=', token)
    .where('State', '=', JobState.processing);
  const { affected } = yield* ask(query.compile());
  return affected > 0;
}
