import { DuplicateJobError, type JobAction, JobStateError } from '../errors/state-errors.js';
import { ACTIVE_STATUSES, JobStatus } from '../job/status.js';
import type { OutsideStore } from '../lifecycle/surface-failures.js';
import { type Change, type Changed, changeableStatuses } from '../store/change-types.js';
import type { StoredJob } from '../store/query-types.js';

/** Tries before a job that keeps changing under our hands is given up. */
const MAX_TRIES = 10;

/** What people do to jobs. */
type HandChange = Extract<Change, { type: JobAction }>;

/** What became of a change: it was made, the job has that status already, or there is no such job. */
export type ChangeResult<Id> = Changed<Id> | { readonly unchanged: StoredJob<Id> } | null;

/**
 * Changes one job, or says why not. The change itself checks the status, in one step on the server; what is read
 * afterwards only explains a refusal, and may be newer than it. So a refusal that the status read does not
 * explain is tried again.
 */
export async function changeJob<Id>(
  store: OutsideStore<Id>,
  id: unknown,
  change: HandChange,
  now: () => Date,
): Promise<ChangeResult<Id>> {
  const parsed = store.parseId(id);
  if (parsed === undefined) return null;
  for (let tries = 1; ; tries += 1) {
    const [changed] = await store.change([parsed], change, now());
    if (changed !== undefined) return changed;
    const [job] = await store.get([parsed]);
    if (job === undefined) return null;
    if (change.type === 'cancel' && job.status === JobStatus.CANCELLED) return { unchanged: job };
    if (!changeableStatuses(change).includes(job.status) || tries === MAX_TRIES) throw refusal(job, change);
    const holder = await keyHolder(store, job, change);
    if (holder !== undefined) throw conflict(job, holder, change);
  }
}

/** The job that keeps this one from being pending again. Index: name_1_uniqueKey_1. */
async function keyHolder<Id>(
  store: OutsideStore<Id>,
  { name, uniqueKey }: StoredJob<Id>,
  change: HandChange,
): Promise<StoredJob<Id> | undefined> {
  if (typeof uniqueKey !== 'string' || (change.type !== 'retry' && change.type !== 'release'))
    return undefined;
  const filter = { name, uniqueKey, statuses: ACTIVE_STATUSES };
  const [holder] = await store.page({ filter, by: 'id', direction: 'asc', limit: 1 });
  return holder;
}

function refusal<Id>(job: StoredJob<Id>, change: HandChange): JobStateError {
  const message = `Cannot ${change.type} job in status '${job.status}'`;
  return new JobStateError(message, String(job._id), job.status, change.type);
}

function conflict<Id>(job: StoredJob<Id>, holder: StoredJob<Id>, change: HandChange): DuplicateJobError {
  const id = String(holder._id);
  return new DuplicateJobError(
    `Cannot ${change.type} job ${String(job._id)}: job ${id} is ${holder.status} under the same unique key "${job.uniqueKey}". ` +
      'Wait for it, cancel it or delete it first',
    id,
  );
}
