import type { JobPageRequest, PagePosition, StoredJob } from '@monque/core';
import type { Expression, SqlBool } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { parseTime } from '../rows/times.js';
import { jobs, lastChange, matching } from './conditions.js';
import { readJobs, selectJobs, withoutLarge } from './read-jobs.js';
import { WaitingJobs } from './waiting-jobs.js';

type TimeKey = 'createdAt' | 'updatedAt' | 'nextRunAt';
type Condition = Expression<SqlBool>;

/**
 * Reads a page in the order of a key, then of the id; a job that lacks the key comes before all others.
 *
 * Index: PK_Jobs by id, IX_Jobs_ScheduledAt by due time. By creation and last change there is none, since it would
 * cost every write: those pages read and sort what the filter leaves.
 */
export function* page(context: SqlContext, request: JobPageRequest<string>): Operation<StoredJob<string>[]> {
  const { by, light } = request;
  const found = by === 'id' ? yield* pageById(context, request) : yield* pageByTime(context, request, by);
  return light ? found.map(withoutLarge) : found;
}

function* pageById(
  context: SqlContext,
  { filter, direction, after, skip = 0, limit, light }: JobPageRequest<string>,
): Operation<StoredJob<string>[]> {
  const areWaiting = WaitingJobs.isMeant(filter);
  if (areWaiting && !(yield* context.waiting.maybeAny())) return [];
  let query = selectJobs(context, light).where(matching(context, filter));
  if (after !== undefined) query = query.where(jobs('Id', beyond(direction), after.id));
  const found = yield* readJobs(context, query.orderBy('Id', direction).limit(limit).offset(skip));
  if (areWaiting) context.waiting.found(found.length > 0);
  return found;
}

/** One part after the other: the jobs without the key, and those with it, in the order of its index. */
function* pageByTime(
  context: SqlContext,
  { filter, direction, after, skip = 0, limit, light }: JobPageRequest<string>,
  by: TimeKey,
): Operation<StoredJob<string>[]> {
  const key = keyOf(context, by);
  const place = after === undefined ? undefined : yield* exactPlace(context, key, after);
  const parts = [
    { order: [jobs.ref('Id')], condition: missing(key, place, direction) },
    { order: [key, jobs.ref('Id')], condition: present(key, place, direction) },
  ];
  if (direction === 'desc') parts.reverse();
  const found: StoredJob<string>[] = [];
  let left = skip;
  for (const part of parts) {
    if (part.condition === undefined || found.length >= limit) continue;
    const condition = jobs.and([matching(context, filter), part.condition]);
    let query = selectJobs(context, light).where(condition);
    for (const column of part.order) query = query.orderBy(column, direction);
    const read = yield* readJobs(context, query.limit(limit - found.length).offset(left));
    found.push(...read);
    if (left > 0) left = read.length > 0 ? 0 : Math.max(0, left - (yield* count(context, condition)));
  }
  return found;
}

/** A place whose key is as exact as it is stored. */
interface ExactPlace {
  readonly key: string | null;
  readonly id: string;
}

/**
 * A cursor knows times to the millisecond, and others store finer ones: the row that it points at, if it is still
 * there, says what stands behind. Otherwise its last page would begin with that row again.
 */
function* exactPlace(
  { dialect }: SqlContext,
  key: Expression<unknown>,
  { key: time, id }: PagePosition<string>,
): Operation<ExactPlace> {
  if (time === null) return { key: null, id };
  const { rows } = yield* ask(
    dialect.builder.selectFrom('Jobs').select(dialect.asText(key).as('key')).where('Id', '=', id).compile(),
  );
  const stored = rows[0]?.[0];
  const isSame = parseTime(stored)?.getTime() === time.getTime();
  return { key: isSame ? String(stored) : dialect.toTime(time), id };
}

function missing(
  key: Expression<unknown>,
  place: ExactPlace | undefined,
  direction: 'asc' | 'desc',
): Condition | undefined {
  const isMissing = jobs(key, 'is', null);
  if (place === undefined) return isMissing;
  if (place.key === null) return jobs.and([isMissing, jobs('Id', beyond(direction), place.id)]);
  return direction === 'desc' ? isMissing : undefined;
}

function present(
  key: Expression<unknown>,
  place: ExactPlace | undefined,
  direction: 'asc' | 'desc',
): Condition | undefined {
  if (place === undefined) return jobs(key, 'is not', null);
  if (place.key === null) return direction === 'asc' ? jobs(key, 'is not', null) : undefined;
  // The first condition is a range of the index, the second one leaves out its beginning.
  return jobs.and([
    jobs(key, direction === 'asc' ? '>=' : '<=', place.key),
    jobs.or([jobs(key, beyond(direction), place.key), jobs('Id', beyond(direction), place.id)]),
  ]);
}

function* count({ dialect }: SqlContext, condition: Condition): Operation<number> {
  const query = dialect.builder.selectFrom('Jobs').select(jobs.fn.countAll().as('count')).where(condition);
  const { rows } = yield* ask(query.compile());
  return Number(rows[0]?.[0] ?? 0);
}

function keyOf(context: SqlContext, by: TimeKey): Expression<unknown> {
  if (by === 'updatedAt') return lastChange(context);
  // The column itself has an index.
  return by === 'nextRunAt' ? jobs.ref('ScheduledAt') : context.dialect.instant('CreatedAt');
}

function beyond(direction: 'asc' | 'desc'): '>' | '<' {
  return direction === 'asc' ? '>' : '<';
}
