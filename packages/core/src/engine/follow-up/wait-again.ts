import { inChunks } from '../../store/in-chunks.js';
import type { JobFilter, StoredJob } from '../../store/query-types.js';
import { mayRunAfter } from './ends.js';
import { CHUNK, type FollowUpParts, pagesOf } from './follow-up-parts.js';
import { type FollowedState, followedStates } from './followed.js';
import { resolveWaiting } from './resolve-waiting.js';

/** Lets what was forgone because of a job, or a batch, wait for it again, and what was forgone because of that, and so on. */
export async function waitAgain(
  parts: FollowUpParts,
  followed: { readonly parent: unknown } | { readonly batch: string },
): Promise<void> {
  let filters: JobFilter[] = [
    'batch' in followed ? { awaitsBatch: followed.batch } : { parents: [followed.parent] },
  ];
  while (filters.length > 0) {
    const again: unknown[] = [];
    for (const filter of filters) {
      for await (const forgone of pagesOf(parts, { ...filter, forgone: true })) {
        const ids = forgone.map(({ _id }) => _id);
        const changed = await parts.store.change(ids, { type: 'await' }, parts.clock.now());
        again.push(...changed.map(({ job }) => job._id));
      }
    }
    filters = inChunks(again, CHUNK).map((parents) => ({ parents }));
  }
}

/**
 * The same for all that was forgone, where it is not known what was retried: what follows a job or a batch that is open
 * again waits again, and what follows one that has ended anew, in the way it was to, before anybody looked here.
 */
export async function waitAgainForAll(parts: FollowUpParts): Promise<void> {
  for (let found = true; found; ) {
    found = false;
    for await (const forgone of pagesOf(parts, { forgone: true })) {
      const stateOf = await followedStates(parts, forgone);
      const ids = forgone.filter((job) => mayStillRun(job, stateOf(job))).map(({ _id }) => _id);
      const changed = await parts.store.change(ids, { type: 'await' }, parts.clock.now());
      found ||= changed.length > 0;
      // What they follow may have ended again already.
      await resolveWaiting(
        parts,
        changed.map(({ job }) => job),
      );
    }
  }
}

function mayStillRun(job: StoredJob, followed: FollowedState | undefined): boolean {
  if (followed === undefined || followed === 'recurring') return false;
  return followed === 'open' || mayRunAfter(followed, job);
}
