import type { JobFilter, JobStatus, TimeRange } from '@monque/core';
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { statesOf } from '../rows/job-states.js';
import { JobState, type Tables } from '../schema/columns.js';

type Condition = Expression<SqlBool>;

/** Writes expressions over `Jobs`. */
export const jobs: ExpressionBuilder<Tables, 'Jobs'> = expressionBuilder<Tables, 'Jobs'>();

/** The conditions of a filter; none for all jobs. */
export function matching(context: SqlContext, filter: JobFilter): Condition {
  const { name, uniqueKey, statuses, createdAt, updatedAt, nextRunAt } = filter;
  const conditions: Condition[] = [];
  if (name !== undefined) conditions.push(named(context, name));
  if (uniqueKey !== undefined) conditions.push(jobs('UniqueKey', '=', uniqueKey));
  if (statuses !== undefined) conditions.push(...ofStatus(context, statuses, filter));
  if (filter.ours) conditions.push(canBeOurs(context));
  conditions.push(...linked(context, filter));
  const { dialect } = context;
  conditions.push(...within(context, dialect.instant('CreatedAt'), createdAt));
  conditions.push(...within(context, lastChange(context), updatedAt));
  conditions.push(...within(context, dialect.instant('ScheduledAt'), nextRunAt));
  return jobs.and(conditions);
}

/** What a filter says about the status, in the form that leads the database to the index that it should take. */
function ofStatus(
  context: SqlContext,
  statuses: readonly JobStatus[],
  { parents, fill }: JobFilter,
): Condition[] {
  const { isWaiting } = context.dialect;
  // Many may wait, and few have these parents.
  if (parents !== undefined) return [isOneOf(statuses)];
  return fill === null && isWaiting !== undefined
    ? [isOneOf(statuses), isWaiting]
    : [inStatus(context, statuses)];
}

/** Whether a job has one of these statuses, in a form that no index on the state is taken for. */
export function isOneOf(statuses: readonly JobStatus[]): Condition {
  const states = statesOf(statuses);
  if (states.length === 0) return jobs.lit(false) as Condition;
  return sql<SqlBool>`${sql.ref('State')} * 1 in (${sql.join(states.map((state) => sql.lit(state)))})`;
}

/** What a filter says about other jobs and batches. Index: PK_Jobs, IX_Jobs_ParentJobId, IX_Monque_Jobs_Batch. */
function linked(context: SqlContext, filter: JobFilter): Condition[] {
  const { dialect } = context;
  const { ids, parents, memberOf, awaitsBatch, fill, forgone } = filter;
  const conditions: Condition[] = [];
  if (ids !== undefined) conditions.push(dialect.oneOf('Id', ids as readonly string[]));
  if (parents !== undefined) conditions.push(dialect.childOf(parents as readonly string[]));
  const batch = memberOf ?? awaitsBatch;
  if (batch !== undefined) conditions.push(jobs('BatchId', '=', batch));
  if (memberOf !== undefined) conditions.push(jobs('AwaitsBatchId', 'is', null));
  if (awaitsBatch !== undefined) conditions.push(jobs('AwaitsBatchId', '=', awaitsBatch));
  if (fill !== undefined) {
    conditions.push(fill === null ? jobs('ClaimToken', 'is', null) : jobs('ClaimToken', '=', fill));
  }
  // Where nothing else says which jobs are meant, their state leads to them: there may be few of them among many.
  if (forgone && conditions.length === 0) conditions.push(inStatus(context, ['cancelled']));
  if (forgone !== undefined) conditions.push(forgone ? isForgone : jobs.not(isForgone));
  return conditions;
}

/** Whether a job never ran because what it was to follow ended in the wrong way: cancelling by hand gives no reason. */
export const isForgone: Condition = jobs.and([
  sql<SqlBool>`${sql.ref('State')} * 1 = ${sql.lit(JobState.cancelled)}`,
  jobs('ExecutedAt', 'is', null),
  jobs('ErrorMessage', 'is not', null),
  jobs.or([jobs('ParentJobId', 'is not', null), jobs('AwaitsBatchId', 'is not', null)]),
]);

/** Whether a job is a member of a batch that its fill has not released yet; then it is nobody else's business. */
export const isUnreleased: Condition = jobs.and([
  jobs('State', '=', JobState.awaitingBatch),
  jobs('ClaimToken', 'is not', null),
]);

/** Whether a job has one of these statuses. */
export function inStatus({ dialect }: SqlContext, statuses: readonly JobStatus[]): Condition {
  return dialect.oneOf('State', statesOf(statuses));
}

/** When a job was last changed. Rows of others do not say so; then it is when they were stored. */
export function lastChange({ dialect }: SqlContext): Expression<unknown> {
  return jobs.fn.coalesce(dialect.instant('UpdatedAt'), dialect.instant('CreatedAt'));
}

/** Whether a job has this name, under any of the texts that stand for it. */
export function named({ names }: SqlContext, name: string): Condition {
  const { texts, prefixes, except } = names.matchOf(name);
  // The text of this name may stand for another, and no other for it.
  if (texts.length === 0) return jobs.lit(false) as Condition;
  const whole = jobs('TypeName', 'in', texts);
  if (prefixes.length === 0) return whole;
  const begins = prefixes.map((prefix) =>
    jobs(jobs.fn<string>('substr', ['TypeName', jobs.lit(1), jobs.lit([...prefix].length)]), '=', prefix),
  );
  const any = jobs.or([whole, ...begins]);
  return except.length === 0 ? any : jobs.and([any, jobs('TypeName', 'not in', except)]);
}

/** Whether a row may be ours to run. A type name with blanks that nothing maps is no job name: such a row is JobSharp's own. */
export function canBeOurs(context: SqlContext): Condition {
  return jobs.or([
    jobs('TypeName', 'not like', '% %'),
    ...context.names.mapped.map((name) => named(context, name)),
  ]);
}

/** Both ends are included, to the whole millisecond: others store finer times, of which nobody sees more. */
function within(
  { dialect }: SqlContext,
  time: Expression<unknown>,
  range: TimeRange | undefined,
): Condition[] {
  const conditions: Condition[] = [];
  if (range?.from !== undefined) conditions.push(jobs(time, '>=', dialect.toTime(range.from)));
  if (range?.to !== undefined && range.to.getTime() < LATEST) {
    conditions.push(jobs(time, '<', dialect.toTime(new Date(range.to.getTime() + 1))));
  }
  if (range?.orAbsent !== true || conditions.length === 0) {
    // An upper bound beyond all times leaves out only what has no time.
    return range?.to !== undefined ? [...conditions, jobs(time, 'is not', null)] : conditions;
  }
  return [jobs.or([jobs.and(conditions), jobs(time, 'is', null)])];
}

/** The last millisecond that every database can hold. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
