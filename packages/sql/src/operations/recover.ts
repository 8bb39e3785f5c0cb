import type { RecoverRequest } from '@monque/core';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { JobState } from '../schema/columns.js';
import { canBeOurs, jobs } from './conditions.js';
import { givenBack } from './unclaimed.js';

/**
 * Gives back what dead processes held, by the server's clock alone. A heartbeat renews `LockedAt`, so an old one means
 * that nobody did. Rows that others took have none, and no token: JobSharp notes when it began, and gets more time.
 * Index: IX_Jobs_State, which holds few processing jobs.
 */
export function* recover(
  context: SqlContext,
  { lockTimeout, legacyLockTimeout }: Pick<RecoverRequest, 'lockTimeout' | 'legacyLockTimeout'>,
): Operation<number> {
  const { dialect, notices } = context;
  const locked = dialect.instant('LockedAt');
  const { coalesce } = jobs.fn;
  const [began, changed, created] = (['ExecutedAt', 'UpdatedAt', 'CreatedAt'] as const).map((column) =>
    dialect.instant(column),
  ) as [typeof locked, typeof locked, typeof locked];
  const lastSign = dialect.later(coalesce(began, changed, created), coalesce(changed, began, created));
  const query = dialect.builder
    .updateTable('Jobs')
    .set(givenBack(dialect.now))
    .where('State', '=', JobState.processing)
    .where(
      jobs.or([
        jobs.and([jobs('ClaimToken', 'is not', null), jobs(locked, '<', dialect.ago(lockTimeout))]),
        jobs.and([
          jobs.or([jobs('ClaimToken', 'is', null), jobs(locked, 'is', null)]),
          jobs(coalesce(locked, lastSign), '<', dialect.ago(legacyLockTimeout)),
          canBeOurs(context),
        ]),
      ]),
    );
  const { affected } = yield* ask(query.compile());
  if (affected > 0) yield* notices.due(new Date(0));
  return affected;
}
