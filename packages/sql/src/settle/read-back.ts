import type { Settlement } from '@monque/core';
import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation, type Row } from '../operation.js';
import { statusOf } from '../rows/job-states.js';
import { parseTime } from '../rows/times.js';
import { type OutcomeRow, outcomeRowOf } from './outcome-rows.js';

/**
 * Which of these outcomes are stored, by this try or by an earlier one whose answer never came; by id.
 * Index: PK_Jobs.
 */
export function* readBack(
  { dialect }: SqlContext,
  items: readonly Settlement<string>[],
  at: Date,
): Operation<ReadonlySet<string>> {
  const ids = items.map(({ job }) => job._id);
  const times = ['ScheduledAt', 'UpdatedAt', 'ExecutedAt', 'FinishedAt'];
  const query = dialect.builder
    .selectFrom('Jobs')
    .select(['Id', 'State'])
    .select(times.map((column) => dialect.asText(sql.ref(column)).as(column)))
    .where(dialect.oneOf('Id', ids));
  const { rows } = yield* ask(query.compile());
  const byId = new Map(rows.map((row) => [row[0], row]));
  const applied = new Set<string>();
  for (const item of items) {
    const row = byId.get(item.job._id);
    if (row !== undefined && (isAsWritten(row, outcomeRowOf(item), at) || hasGoneOn(row, item, at))) {
      applied.add(item.job._id);
    }
  }
  return applied;
}

/** Nothing has happened to the row since: state and times are exactly those of the batch. */
function isAsWritten([, state, scheduledAt, updatedAt]: Row, written: OutcomeRow, at: Date): boolean {
  if (Number(state) !== written.state || !isSameTime(updatedAt, at)) return false;
  return written.nextRunAt === null || isSameTime(scheduledAt, written.nextRunAt);
}

/**
 * Something has: the job was retried by hand, claimed again or cancelled right after this write. It still bears the
 * start of this run, which its outcome writes and nothing else, until the outcome of the next run. The end must not
 * contradict: it is this one's own or, for a job that was to go on, that of a cancellation.
 */
function hasGoneOn(
  [, state, , , executedAt, finishedAt]: Row,
  { job, startedAt, outcome }: Settlement<string>,
  at: Date,
): boolean {
  // Where the run before this one began just as early, the start tells nothing.
  if (!isSameTime(executedAt, startedAt) || job.executedAt?.getTime() === startedAt.getTime()) return false;
  if (finishedAt === null) return true;
  const isFinal = !('nextRunAt' in outcome) || outcome.nextRunAt === undefined;
  return isFinal ? isSameTime(finishedAt, at) : statusOf(Number(state)) === 'cancelled';
}

function isSameTime(stored: unknown, time: Date): boolean {
  return parseTime(stored)?.getTime() === time.getTime();
}
