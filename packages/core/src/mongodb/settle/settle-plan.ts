import type { ObjectId } from 'mongodb';
import type { SettleBatch, Settlement } from '../../store/settle-types.js';
import type { FieldUpdate } from '../documents/field-update.js';
import type { JobDocument } from '../documents/job-document.js';
import type { ProgressNotes } from '../operations/progress.js';
import { outcomeUpdate } from './outcome-update.js';

/** A settlement and what it is going to write. */
export interface Planned {
  readonly item: Settlement<ObjectId>;
  /** The job as it was when its run ended. */
  readonly job: JobDocument;
  /** Settlements that share one update object share one write. */
  readonly update: FieldUpdate;
  /** The id of the failed copy that a recurring job leaves when it has failed for good. */
  readonly copyId: ObjectId | undefined;
}

/**
 * Runs that began within this many milliseconds of each other share one `executedAt`, the earliest, so that they can
 * share one write: that is what makes a batch cheap.
 */
export const START_WINDOW_MS = 8;

/**
 * Ids of failed copies by the job as it was claimed, of which there is one object per run: a batch that is settled
 * again finds the copy that the first try stored, instead of adding a second.
 */
const copyIds = new WeakMap<object, ObjectId>();

/** Works out what a batch writes. */
export function planBatch(
  { at, items }: SettleBatch<ObjectId>,
  progress: ProgressNotes,
  newId: () => ObjectId,
): Planned[] {
  const starts = new Map<string, Date>();
  for (const item of items) {
    const key = sharedKey(item);
    if (key === undefined) continue;
    const known = starts.get(key);
    if (known === undefined || item.startedAt < known) starts.set(key, item.startedAt);
  }
  const shared = new Map<string, FieldUpdate>();
  for (const [key, startedAt] of starts) shared.set(key, outcomeUpdate({ type: 'completed' }, startedAt, at));
  return items.map((item) => ({
    item,
    job: withProgress(item, progress),
    update: shared.get(sharedKey(item) ?? '') ?? outcomeUpdate(item.outcome, item.startedAt, at),
    copyId: copyIdOf(item, newId),
  }));
}

/** What settlements with the same values have in common, or undefined for one that has values of its own. */
function sharedKey({ outcome, token, startedAt }: Settlement<ObjectId>): string | undefined {
  if (outcome.type !== 'completed' || outcome.result !== undefined) return undefined;
  return `${token} ${Math.floor(startedAt.getTime() / START_WINDOW_MS)}`;
}

function withProgress({ job, token }: Settlement<ObjectId>, notes: ProgressNotes): JobDocument {
  const progress = notes.of(job._id, token);
  return progress === undefined ? job : { ...job, progress };
}

function copyIdOf({ job, outcome }: Settlement<ObjectId>, newId: () => ObjectId): ObjectId | undefined {
  if (outcome.type !== 'failed' || outcome.nextRunAt === undefined) return undefined;
  const id = copyIds.get(job) ?? newId();
  copyIds.set(job, id);
  return id;
}
