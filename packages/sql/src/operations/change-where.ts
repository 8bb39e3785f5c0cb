import { type Change, changeableStatuses, type JobFilter } from '@monque/core';
import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import type { Operation } from '../operation.js';
import { applyChange, changeable, makesActive, selectCandidates, withFreeKeys } from './change.js';
import { jobs, matching } from './conditions.js';

/**
 * Changes up to so many matching jobs. Those whose unique key is taken are passed over, and others take their place.
 * Index: IX_Jobs_State for the jobs, PK_Jobs for the write.
 */
export function* changeWhere(
  context: SqlContext,
  filter: JobFilter,
  request: Change,
  now: Date,
  limit: number,
): Operation<number> {
  const allowed = changeableStatuses(request);
  const { statuses } = filter;
  const wanted = statuses === undefined ? allowed : allowed.filter((one) => statuses.includes(one));
  if (wanted.length === 0) return 0;
  const conditions = [matching(context, { ...filter, statuses: wanted }), changeable(context, request)];
  if (makesActive(request)) conditions.push(hasFreeKey(context));
  let count = 0;
  while (count < limit) {
    const candidates = yield* selectCandidates(context, jobs.and(conditions), limit - count);
    const chosen = makesActive(request) ? yield* withFreeKeys(context, candidates) : candidates;
    yield* applyChange(context, chosen, request, now);
    count += chosen.length;
    // Short only where several have the same key: the others of them are no longer candidates.
    if (chosen.length === 0 || chosen.length === candidates.length) break;
  }
  return count;
}

/** Whether no active job holds the key of this one. Index: IX_Monque_Jobs_ActiveKey. */
function hasFreeKey({ dialect }: SqlContext) {
  const holder = dialect.builder
    .selectFrom('Jobs as Holder')
    .select(sql.lit(1).as('one'))
    .where(dialect.isHolder);
  return jobs.or([jobs('Jobs.KeyHash', 'is', null), jobs.not(jobs.exists(holder))]);
}
