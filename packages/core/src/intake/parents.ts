import { CHUNK } from '../engine/follow-up/follow-up-parts.js';
import { resolveWaiting } from '../engine/follow-up/resolve-waiting.js';
import { ParentNotFoundError } from '../errors/workflow-errors.js';
import type { ContinueOn } from '../job/enqueue-options.js';
import { idText } from '../job/id-text.js';
import { JobStatus } from '../job/status.js';
import { inChunks } from '../store/in-chunks.js';
import type { StoredJob } from '../store/query-types.js';
import type { JobLinks } from './build-new-job.js';
import { naming } from './check-items.js';
import type { CheckedInput } from './check-job-input.js';
import type { IntakeParts } from './intake-parts.js';

/**
 * Looks up the parents of those jobs that are to have one.
 *
 * @throws ParentNotFoundError before anything is written
 */
export async function withParents<Id>(
  { store }: Pick<IntakeParts<Id>, 'store'>,
  inputs: readonly CheckedInput[],
): Promise<readonly CheckedInput[]> {
  if (inputs.every(({ options }) => options.parent === undefined)) return inputs;
  const ids = inputs.map(({ options }) => options.parent && store.parseId(options.parent.id));
  const wanted = new Map(ids.flatMap((id) => (id === undefined ? [] : [[String(id), id] as const])));
  const existing = new Set<string>();
  for (const chunk of inChunks([...wanted.values()], CHUNK)) {
    const found = await store.page({
      filter: { ids: chunk },
      by: 'id',
      direction: 'asc',
      limit: chunk.length,
      light: true,
    });
    for (const { _id } of found) existing.add(String(_id));
  }
  return inputs.map((input, index) => {
    const { parent } = input.options;
    if (parent === undefined) return input;
    const id = ids[index];
    if (id !== undefined && existing.has(String(id))) return { ...input, links: linksTo(id, parent.on) };
    const error = noParent(parent.id);
    throw inputs.length === 1 ? error : naming(index, error);
  });
}

function linksTo(parentJobId: unknown, on: ContinueOn): JobLinks {
  return { status: 'awaiting-continuation', parentJobId, ...continueOn(on) };
}

/** The field for an end; success, which is the default, is stored as an absent one. */
export function continueOn(on: ContinueOn = 'success'): Pick<JobLinks, 'continueOn'> {
  return on === 'success' ? {} : { continueOn: on };
}

/**
 * Looks at the parents of jobs that have just been stored as waiting: one that ended a moment before was looked after
 * when nobody waited yet. Answers the jobs as they are now.
 *
 * @throws ParentNotFoundError where a parent is gone by now, and with it the job
 */
export async function settleChildren<Id>(
  { store, followUps }: Pick<IntakeParts<Id>, 'store' | 'followUps'>,
  jobs: readonly StoredJob<Id>[],
): Promise<StoredJob<Id>[]> {
  const waiting = jobs.filter(({ status }) => status === JobStatus.AWAITING_CONTINUATION);
  if (waiting.length === 0) return [...jobs];
  const now = new Map<string, StoredJob<Id>>();
  for (const chunk of inChunks(waiting, CHUNK)) {
    await resolveWaiting(followUps, chunk);
    for (const job of await store.get(chunk.map(({ _id }) => _id))) now.set(String(job._id), job);
  }
  for (const { _id, parentJobId } of waiting) if (!now.has(String(_id))) throw noParent(parentJobId);
  return jobs.map((job) => now.get(String(job._id)) ?? job);
}

function noParent(id: unknown): ParentNotFoundError {
  const text = idText(id);
  return new ParentNotFoundError(
    `There is no job ${text} to follow. Give the id of a job that is stored, and was not deleted`,
    text,
  );
}
