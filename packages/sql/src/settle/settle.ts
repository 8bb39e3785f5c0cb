import type { Outcome, SettleBatch, Settled, Settlement } from '@monque/core';
import type { SqlContext } from '../context.js';
import type { Operation } from '../operation.js';
import { get } from '../operations/read-jobs.js';
import type { Writer } from '../writer.js';
import { jobAfter } from './job-after.js';
import { type OutcomeType, outcomeRowOf, outcomeTypeOf } from './outcome-rows.js';
import type { ProgressNotes } from './progress-notes.js';
import { readBack } from './read-back.js';
import { copyIdOf, discardCopy, insertCopy } from './series-copy.js';

/** Whether a batch is written by one statement, and so needs no transaction around it. */
export function isSingleWrite({ items }: SettleBatch<string>): boolean {
  const [first] = items;
  return (
    first !== undefined &&
    (items.length === 1 || items.every(({ outcome }) => outcome.type === first.outcome.type)) &&
    !('nextRunAt' in first.outcome) &&
    !items.some((item) => 'nextRunAt' in item.outcome)
  );
}

/**
 * Writes outcomes, those of one type together. Each is fenced by its token and owner, so that one whose claim no
 * longer holds writes nothing; where some did not, a look at the rows tells which. Index: PK_Jobs.
 *
 * A failed occurrence of a series moves the series on and leaves a copy, both or neither.
 */
export function* settle(
  context: SqlContext,
  writer: Writer,
  progress: ProgressNotes,
  { at, items }: SettleBatch<string>,
): Operation<Settled<string>[]> {
  const lost = new Set<string>();
  for (const [type, group] of byType(items)) {
    const matched = yield* writer.settle(type, group.map(outcomeRowOf), at);
    if (matched === group.length) continue;
    const applied = yield* readBack(context, group, at);
    for (const { job } of group) if (!applied.has(job._id)) lost.add(job._id);
  }
  const copies = yield* settleSeries(context, writer, items, at, lost);
  yield* tellDue(context, items);
  return items.map((item): Settled<string> => {
    const { job, outcome, startedAt } = item;
    if (lost.has(job._id)) return { applied: false, job };
    const copy = copies.get(job._id);
    return {
      applied: true,
      job: copy ?? jobAfter(progress.withProgress(job, item.token), outcome, startedAt, at),
    };
  });
}

/** Settlements by what they write; failed occurrences of series go one by one, for the sake of their copies. */
function byType(items: readonly Settlement<string>[]): Map<OutcomeType, Settlement<string>[]> {
  const groups = new Map<OutcomeType, Settlement<string>[]>();
  for (const item of items) {
    if (isFailedSeries(item)) continue;
    const type = outcomeTypeOf(item.outcome);
    const group = groups.get(type);
    if (group === undefined) groups.set(type, [item]);
    else group.push(item);
  }
  return groups;
}

function isFailedSeries({ outcome }: Settlement<string>): boolean {
  return outcome.type === 'failed' && outcome.nextRunAt !== undefined;
}

/** Settles failed occurrences; answers their copies by the id of the series. */
function* settleSeries(
  context: SqlContext,
  writer: Writer,
  items: readonly Settlement<string>[],
  at: Date,
  lost: Set<string>,
): Operation<Map<string, Settled<string>['job']>> {
  const copies = new Map<string, Settled<string>['job']>();
  for (const item of items) {
    const copyId = copyIdOf(item, at);
    if (copyId === undefined) continue;
    const { failCount, reason } = item.outcome as Extract<Outcome, { type: 'failed' }>;
    const row = outcomeRowOf(item);
    const isHeld = yield* insertCopy(context, copyId, { ...row, failCount, reason }, at);
    if (isHeld && (yield* writer.settle('repeat', [row], at)) === 0) yield* discardCopy(context, copyId);
    // Of this try, or of an earlier one.
    const [copy] = yield* get(context, [copyId]);
    if (copy === undefined) lost.add(item.job._id);
    else copies.set(item.job._id, copy);
  }
  return copies;
}

/** Tells of the first job that waits again. */
function* tellDue({ notices }: SqlContext, items: readonly Settlement<string>[]): Operation<void> {
  let earliest: Date | undefined;
  for (const { outcome } of items) {
    if (!('nextRunAt' in outcome) || outcome.nextRunAt === undefined) continue;
    if (earliest === undefined || outcome.nextRunAt < earliest) earliest = outcome.nextRunAt;
  }
  if (earliest !== undefined) yield* notices.due(earliest);
}
