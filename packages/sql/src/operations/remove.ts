import type { JobFilter } from '@monque/core';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { statesOf } from '../rows/job-states.js';
import { JobState } from '../schema/columns.js';
import { type Candidate, selectCandidates } from './change.js';
import { jobs, matching } from './conditions.js';

/** States in which a job waits for others. */
const WAITING = statesOf(['awaiting-continuation', 'awaiting-batch']);

/** Most children that are read at once; there may be more than one parent has. */
const MAX_CHILDREN = 2_147_483_647;

/** Removes jobs and their logs, and what waits for them. Index: PK_Jobs, IX_JobLogs_JobId. */
export function* remove(context: SqlContext, ids: readonly string[]): Operation<number> {
  const found = yield* selectCandidates(context, context.dialect.oneOf('Id', ids), ids.length);
  return yield* removeFound(context, found);
}

/** Removes up to so many matching jobs and their logs, and what waits for them. Index: IX_Jobs_State. */
export function* removeWhere(context: SqlContext, filter: JobFilter, limit: number): Operation<number> {
  const found = yield* selectCandidates(context, jobs.and([matching(context, filter)]), limit);
  return yield* removeFound(context, found);
}

/** The last level first: a foreign key that cascades goes only so deep on some databases. */
function* removeFound(context: SqlContext, found: readonly Candidate[]): Operation<number> {
  if (found.length === 0) return 0;
  const { dialect, notices } = context;
  const ids = found.map(({ id }) => id);
  const waiting = yield* leaveChildren(context, ids);
  const removed = yield* removeFound(context, waiting);
  // The foreign key does the same, where nobody has switched it off.
  yield* ask(dialect.builder.deleteFrom('JobLogs').where(dialect.oneOf('JobId', ids)).compile());
  const { affected } = yield* ask(
    dialect.builder.deleteFrom('Jobs').where(dialect.oneOf('Id', ids)).compile(),
  );
  yield* notices.stopped(found.filter(({ state }) => state === JobState.processing).map(({ id }) => id));
  return removed + affected;
}

/**
 * Takes jobs that are about to go off those that followed them, or the foreign key would remove also what runs; answers
 * those that wait, and so are to go too. Index: IX_Jobs_ParentJobId.
 */
function* leaveChildren(context: SqlContext, parents: readonly string[]): Operation<Candidate[]> {
  const { dialect } = context;
  const isChild = dialect.childOf(parents);
  const orphan = dialect.builder.updateTable('Jobs').set({ ParentJobId: null });
  yield* ask(orphan.where(isChild).where('State', 'not in', WAITING).compile());
  const found = yield* selectCandidates(context, isChild, MAX_CHILDREN);
  // Let go between the two statements; from here on nobody else changes them.
  const released = found.filter(({ state }) => !WAITING.includes(state)).map(({ id }) => id);
  if (released.length > 0) yield* ask(orphan.where(dialect.oneOf('Id', released)).compile());
  return found.filter(({ state }) => WAITING.includes(state));
}
