import type { JobStatus, StatusCounts, StatusCountsByName } from '@monque/core';
import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { statusOf } from '../rows/job-states.js';
import { parseTime } from '../rows/times.js';
import { JobState } from '../schema/columns.js';
import { named } from './conditions.js';

/** Completed jobs whose run times make up the mean. */
const SAMPLE = 10_000;

type ByStatus = Partial<Record<JobStatus, number>>;

/** Counts by status. Index: IX_Jobs_State for all names; one name reads the table. */
export function* counts(context: SqlContext, name?: string): Operation<StatusCounts> {
  let query = context.dialect.builder
    .selectFrom('Jobs')
    .select((jobs) => ['State', jobs.fn.countAll().as('count')])
    .groupBy('State');
  if (name !== undefined) query = query.where(named(context, name));
  const { rows } = yield* ask(query.compile());
  const byStatus: ByStatus = {};
  for (const [state, count] of rows) add(byStatus, state, count);
  return yield* withAverage(context, byStatus, name);
}

/** Counts by name and status; reads the table. */
export function* countsByName(context: SqlContext): Operation<StatusCountsByName> {
  const query = context.dialect.builder
    .selectFrom('Jobs')
    .select((jobs) => ['TypeName', 'State', jobs.fn.countAll().as('count')])
    .groupBy(['TypeName', 'State']);
  const { rows } = yield* ask(query.compile());
  const byName = new Map<string, ByStatus>();
  for (const [text, state, count] of rows) {
    const name = context.names.nameOf(String(text));
    const byStatus = byName.get(name) ?? {};
    add(byStatus, state, count);
    byName.set(name, byStatus);
  }
  const answers = new Map<string, StatusCounts>();
  for (const [name, byStatus] of byName) answers.set(name, yield* withAverage(context, byStatus, name));
  return answers;
}

function add(byStatus: ByStatus, state: unknown, count: unknown): void {
  const status = statusOf(Number(state));
  byStatus[status] = (byStatus[status] ?? 0) + Number(count);
}

/**
 * Mean run time of the latest completed jobs, by when they were due: that is an index, and in a queue the order of
 * completion. For jobs of others, who note no end, nothing is known.
 * Index: IX_Jobs_State_ScheduledAt, backwards.
 */
function* withAverage(context: SqlContext, byStatus: ByStatus, name?: string): Operation<StatusCounts> {
  if (byStatus.completed === undefined) return { byStatus };
  const { dialect } = context;
  const times = ['ExecutedAt', 'FinishedAt', 'CreatedAt', 'UpdatedAt'];
  let query = dialect.builder
    .selectFrom('Jobs')
    .select(times.map((column) => dialect.asText(sql.ref(column)).as(column)))
    .where('State', '=', JobState.succeeded)
    .orderBy('ScheduledAt', 'desc')
    .limit(SAMPLE);
  if (name !== undefined) query = query.where(named(context, name));
  const { rows } = yield* ask(query.compile());
  let sum = 0;
  let known = 0;
  for (const row of rows) {
    const [executedAt, finishedAt, createdAt, updatedAt] = row.map(parseTime);
    const [begin, end] = executedAt && finishedAt ? [executedAt, finishedAt] : [createdAt, updatedAt];
    if (begin === undefined || end === undefined) continue;
    sum += end.getTime() - begin.getTime();
    known += 1;
  }
  return known === 0 ? { byStatus } : { byStatus, avgProcessingDurationMs: sum / known };
}
