import type { Settlement } from '@monque/core';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { newJobId } from '../rows/job-ids.js';
import { type JobRow, JobState } from '../schema/columns.js';
import type { OutcomeRow } from './outcome-rows.js';

/**
 * Ids of failed copies by the job as it was claimed, of which there is one object per run: a batch that is settled
 * again answers the copy that the first try stored.
 */
const copyIds = new WeakMap<object, string>();

/** The id of the failed copy that a series leaves when an occurrence has failed for good; undefined for all others. */
export function copyIdOf({ job, outcome }: Settlement<string>, at: Date): string | undefined {
  if (outcome.type !== 'failed' || outcome.nextRunAt === undefined) return undefined;
  const id = copyIds.get(job) ?? newJobId(at);
  copyIds.set(job, id);
  return id;
}

/** Columns that the copy takes from the series as they are. Its name and time of creation make it a job of its own. */
const KEPT = [
  'TypeName',
  'Arguments',
  'MaxRetryCount',
  'ScheduledAt',
  'Result',
  'BatchId',
  'UniqueKey',
  'KeyHash',
  'Priority',
  'Timeout',
  'Progress',
  'Backoff',
  'OwnRetries',
] as const satisfies readonly (keyof JobRow)[];

/**
 * Stores the failed copy of a recurring job whose claim still holds; answers whether it did. By the database, and not
 * from the job in this process, with which its handler may have done anything. The copy is no longer recurring: the
 * series has its own row, and retrying the copy must not start another. And it is new: a series may be old, but those
 * who remove old jobs do not mean it. Index: PK_Jobs.
 */
export function* insertCopy(
  { dialect }: SqlContext,
  id: string,
  item: OutcomeRow,
  at: Date,
): Operation<boolean> {
  const own = {
    Id: id,
    State: JobState.abandoned,
    CreatedAt: dialect.toTime(at),
    UpdatedAt: dialect.toTime(at),
    FinishedAt: dialect.toTime(at),
    ExecutedAt: dialect.toTime(item.startedAt),
    RetryCount: item.failCount,
    ErrorMessage: item.reason,
  } as const;
  const source = dialect.builder
    .selectFrom('Jobs')
    .select((series) => [
      ...Object.entries(own).map(([column, value]) => dialect.typed(column, value).as(column)),
      ...KEPT.map((column) => series.ref(column).as(column)),
    ])
    .where('Id', '=', item.id)
    .where('ClaimToken', '=', item.token)
    .where('ClaimedBy', '=', item.owner)
    .where('State', '=', JobState.processing);
  const query = dialect.builder
    .insertInto('Jobs')
    .columns([...(Object.keys(own) as (keyof typeof own)[]), ...KEPT])
    .expression(source);
  return (yield* ask(query.compile())).affected > 0;
}

/** Takes a copy back, whose series was lost between the two writes. Index: PK_Jobs. */
export function* discardCopy({ dialect }: SqlContext, id: string): Operation<void> {
  yield* ask(dialect.builder.deleteFrom('Jobs').where('Id', '=', id).compile());
}
