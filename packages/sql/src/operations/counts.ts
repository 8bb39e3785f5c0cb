import type { JobStatus, StatusCounts, StatusCountsByName } from '@monque/core';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { statusOf } from '../rows/job-states.js';
import { named } from './conditions.js';
import { meanDurations } from './mean-durations.js';

/** Under which the mean of all jobs is asked for. */
const ALL = '';

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
  if (byStatus.completed === undefined) return { byStatus };
  const means = yield* meanDurations(context, () => ALL, name);
  return statusCounts(byStatus, means.get(ALL));
}

/**
 * Counts by name and status; reads the table. Run times are those of the latest completed jobs of all names, in one
 * look: a name that has none among them gets none, as to find some might mean to read all completed jobs.
 */
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
  const means = yield* meanDurations(context, (text) => context.names.nameOf(text));
  return new Map(
    [...byName].map(([name, byStatus]) => [name, statusCounts(byStatus, means.get(name))] as const),
  );
}

function add(byStatus: ByStatus, state: unknown, count: unknown): void {
  const status = statusOf(Number(state));
  byStatus[status] = (byStatus[status] ?? 0) + Number(count);
}

function statusCounts(byStatus: ByStatus, mean: number | undefined): StatusCounts {
  return mean === undefined ? { byStatus } : { byStatus, avgProcessingDurationMs: mean };
}
