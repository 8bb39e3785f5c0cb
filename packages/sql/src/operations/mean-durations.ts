import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { parseTime } from '../rows/times.js';
import { JobState } from '../schema/columns.js';
import { named } from './conditions.js';

/** Completed jobs whose run times make up the means. */
const SAMPLE = 10_000;

/** Columns of times, in the order in which they are read. */
const TIMES = ['ExecutedAt', 'FinishedAt', 'CreatedAt', 'UpdatedAt'];

/**
 * Mean run times of the latest completed jobs, by when they were due: that is an index, and in a queue the order of
 * completion. For jobs of others, who note no end, nothing is known.
 * Index: IX_Jobs_State_ScheduledAt, backwards.
 *
 * @param groupOf - Under what the run time of a job with this type name counts.
 * @param name - Jobs of this name only.
 */
export function* meanDurations(
  context: SqlContext,
  groupOf: (text: string) => string,
  name?: string,
): Operation<ReadonlyMap<string, number>> {
  const { dialect } = context;
  let query = dialect.builder
    .selectFrom('Jobs')
    .select(['TypeName', ...TIMES.map((column) => dialect.asText(sql.ref(column)).as(column))])
    .where('State', '=', JobState.succeeded)
    .orderBy('ScheduledAt', 'desc')
    .limit(SAMPLE);
  if (name !== undefined) query = query.where(named(context, name));
  const { rows } = yield* ask(query.compile());
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [text, ...times] of rows) {
    const duration = durationOf(times);
    if (duration === undefined) continue;
    const group = groupOf(String(text));
    const { sum, count } = sums.get(group) ?? { sum: 0, count: 0 };
    sums.set(group, { sum: sum + duration, count: count + 1 });
  }
  return new Map([...sums].map(([group, { sum, count }]) => [group, sum / count] as const));
}

function durationOf(times: readonly unknown[]): number | undefined {
  const [executedAt, finishedAt, createdAt, updatedAt] = times.map(parseTime);
  const [begin, end] = executedAt && finishedAt ? [executedAt, finishedAt] : [createdAt, updatedAt];
  return begin && end && end.getTime() - begin.getTime();
}
