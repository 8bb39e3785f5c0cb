import type { Insert } from '../store/insert-types.js';
import type { StoredJob } from '../store/query-types.js';
import { acceptInserted } from './accept-inserted.js';
import { buildNewJob, type JobInput } from './build-new-job.js';
import { type CheckedInput, checkJobInput, type JobTarget } from './check-job-input.js';
import type { IntakeParts } from './intake-parts.js';
import { settleChildren, withParents } from './parents.js';

/** Stores a job, or finds the one that holds its unique key. */
export async function enqueue<Id>(
  parts: IntakeParts<Id>,
  target: JobTarget,
  data: unknown,
  options: unknown,
): Promise<StoredJob<Id>> {
  const input = await checkJobInput(parts, target, data, options, 'enqueue');
  return input.options.parent === undefined ? insertOne(parts, input) : insertChild(parts, input);
}

/** The same for a job that follows another. */
export async function continueWith<Id>(
  parts: IntakeParts<Id>,
  parentId: unknown,
  target: JobTarget,
  data: unknown,
  options: unknown,
): Promise<StoredJob<Id>> {
  const input = await checkJobInput(parts, target, data, options, 'continue');
  const { on = 'success' } = input.options;
  return insertChild(parts, { ...input, options: { ...input.options, parent: { id: parentId, on } } });
}

/** Stores a job that follows another; it waits, unless that one has ended. */
async function insertChild<Id>(parts: IntakeParts<Id>, input: CheckedInput): Promise<StoredJob<Id>> {
  const [linked = input] = await withParents(parts, [input]);
  try {
    const [child] = await settleChildren(parts, [await insertOne(parts, linked)]);
    if (child !== undefined) return child;
  } catch (error) {
    // A database that knows foreign keys refuses a child whose parent was deleted a moment ago: that is what to tell.
    await withParents(parts, [input]);
    throw error;
  }
  throw new RangeError('The store gave no answer for a job');
}

/** Stores one checked job, together with others that are on their way. */
export async function insertOne<Id>(parts: IntakeParts<Id>, input: CheckedInput): Promise<StoredJob<Id>> {
  const { store, coalescer, clock, engine } = parts;
  const { session, onDuplicate } = input.options;
  const insert = toInsert(input, clock.now());
  if (session === undefined) {
    return acceptInserted(engine, await coalescer.insert(insert, input.bytes), onDuplicate);
  }
  // A user's transaction carries nobody else's jobs.
  const [inserted] = await store.insert([insert], { session });
  if (inserted === undefined) throw new RangeError('The store gave no answer for a job');
  return acceptInserted(engine, inserted, onDuplicate);
}

/** To refuse a duplicate is to keep the existing job, and to tell. */
export function toInsert(input: JobInput, now: Date): Insert {
  const { onDuplicate } = input.options;
  return { job: buildNewJob(input, now), onDuplicate: onDuplicate === 'replace' ? 'replace' : 'keep' };
}
