import { type Change, type Changed, changeableStatuses } from '@monque/core';
import { type Expression, type SqlBool, sql, type UpdateObject } from 'kysely';
import type { SqlContext } from '../context.js';
import type { Dialect } from '../dialect.js';
import { ask, type Operation } from '../operation.js';
import { statusOf } from '../rows/job-states.js';
import { JobState, type Tables } from '../schema/columns.js';
import { canBeOurs, inStatus, isForgone, isUnreleased, jobs } from './conditions.js';
import { get } from './read-jobs.js';
import { UNCLAIMED } from './unclaimed.js';

/** A job that may be changed. */
export interface Candidate {
  readonly id: string;
  readonly state: number;
  readonly keyHash: string | null;
}

/** Changes those of the given jobs whose status allows it; answers these. Index: PK_Jobs. */
export function* change(
  context: SqlContext,
  ids: readonly string[],
  request: Change,
  now: Date,
): Operation<Changed<string>[]> {
  const { dialect } = context;
  const candidates = yield* selectCandidates(
    context,
    jobs.and([dialect.oneOf('Id', ids), changeable(context, request)]),
    ids.length,
  );
  const chosen = makesActive(request) ? yield* withFreeKeys(context, candidates) : candidates;
  yield* applyChange(context, chosen, request, now);
  const states = new Map(chosen.map(({ id, state }) => [id, state]));
  const changed = yield* get(context, [...states.keys()]);
  return changed.map((job) => ({ job, previousStatus: statusOf(states.get(job._id) ?? 0) }));
}

/** Whether a change may be made to a job. */
export function changeable(context: SqlContext, request: Change): Expression<SqlBool> {
  const isAllowed = inStatus(context, changeableStatuses(request));
  if (request.type === 'await') return jobs.and([isAllowed, isForgone, canBeOurs(context)]);
  if (request.type === 'proceed' || request.type === 'forgo')
    return jobs.and([isAllowed, canBeOurs(context)]);
  return request.type === 'cancel' ? jobs.and([isAllowed, jobs.not(isUnreleased)]) : isAllowed;
}

/** Whether a change makes a job active, and so may meet another that holds its unique key. */
export function makesActive({ type }: Change): boolean {
  return type === 'retry' || type === 'release' || type === 'proceed';
}

/** Finds jobs to change, and keeps others from changing them meanwhile. */
export function* selectCandidates(
  { dialect }: SqlContext,
  condition: Expression<SqlBool>,
  limit: number,
): Operation<Candidate[]> {
  let query = dialect.builder
    .selectFrom('Jobs')
    .select(['Id', 'State', 'KeyHash'])
    .where(condition)
    .limit(limit);
  if (dialect.locksRows) query = query.forUpdate();
  const { rows } = yield* ask(query.compile());
  return rows.map(([id, state, keyHash]) => ({
    id: String(id),
    state: Number(state),
    keyHash: keyHash === null ? null : String(keyHash),
  }));
}

/**
 * Those whose unique keys nobody holds, and of several with the same key the first. Should another process take a key
 * at this very moment, the database refuses the whole transaction, and it is begun again.
 */
export function* withFreeKeys(
  { dialect }: SqlContext,
  candidates: readonly Candidate[],
): Operation<Candidate[]> {
  const keys = [...new Set(candidates.flatMap(({ keyHash }) => keyHash ?? []))];
  if (keys.length === 0) return [...candidates];
  const { rows } = yield* ask(
    dialect.builder.selectFrom('Jobs').select('KeyHash').where(dialect.holdsOneOf(keys)).compile(),
  );
  const taken = new Set(rows.map(([hash]) => String(hash)));
  return candidates.filter(({ keyHash }) => {
    if (keyHash === null) return true;
    const isFree = !taken.has(keyHash);
    taken.add(keyHash);
    return isFree;
  });
}

/** Writes a change to jobs that were chosen for it, and tells who waits for it. Index: PK_Jobs. */
export function* applyChange(
  { dialect, notices }: SqlContext,
  chosen: readonly Candidate[],
  request: Change,
  now: Date,
): Operation<void> {
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  const query = dialect.builder
    .updateTable('Jobs')
    .set(changedColumns(request, dialect.toTime(now), dialect))
    .where(dialect.oneOf('Id', ids));
  yield* ask(query.compile());
  if (request.type === 'cancel') {
    yield* notices.stopped(chosen.filter(({ state }) => state === JobState.processing).map(({ id }) => id));
  } else if (request.type !== 'forgo' && request.type !== 'await') {
    yield* notices.due(request.type === 'reschedule' ? request.runAt : now);
  }
}

function changedColumns(request: Change, now: string, { toTime }: Dialect): UpdateObject<Tables, 'Jobs'> {
  switch (request.type) {
    case 'cancel':
      // Without its token the run has lost its claim, and whatever it comes to counts for nothing.
      return { ...UNCLAIMED, State: JobState.cancelled, FinishedAt: now, UpdatedAt: now };
    case 'retry':
      return {
        ...UNCLAIMED,
        State: JobState.scheduled,
        RetryCount: 0,
        ScheduledAt: now,
        UpdatedAt: now,
        ErrorMessage: null,
        FinishedAt: null,
        Result: null,
        Progress: null,
      };
    case 'reschedule':
      return { ScheduledAt: toTime(request.runAt), UpdatedAt: now };
    case 'release':
    case 'proceed':
      return {
        ...UNCLAIMED,
        State: JobState.scheduled,
        ScheduledAt: sql<unknown>`case when ${sql.ref('ScheduledAt')} > ${now} then ${sql.ref('ScheduledAt')} else ${now} end`,
        UpdatedAt: now,
      };
    case 'forgo':
      return { State: JobState.cancelled, ErrorMessage: request.reason, FinishedAt: now, UpdatedAt: now };
    case 'await':
      return {
        State: sql<number>`case when ${sql.ref('AwaitsBatchId')} is null then ${sql.lit(JobState.awaitingContinuation)} else ${sql.lit(JobState.awaitingBatch)} end`,
        ErrorMessage: null,
        FinishedAt: null,
        UpdatedAt: now,
      };
  }
}
