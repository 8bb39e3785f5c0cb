import { pagesOf } from '../engine/follow-up/follow-up-parts.js';
import { resolveWaiting } from '../engine/follow-up/resolve-waiting.js';
import { waitAgain } from '../engine/follow-up/wait-again.js';
import { checkDate } from '../job/dates.js';
import { JobStatus, WAITING_STATUSES } from '../job/status.js';
import { checkFlag, checkKeys } from '../options/checks.js';
import { changeableStatuses } from '../store/change-types.js';
import type { StoredJob } from '../store/query-types.js';
import { type ChangeResult, changeJob } from './change-job.js';
import type { ManageParts } from './manage-parts.js';

/** How to cancel a job. */
export interface CancelJobOptions {
  /**
   * Also stop a run that is under way, on whichever process: its signal aborts, and its outcome counts for nothing.
   *
   * @defaultValue false
   */
  running?: boolean;
}

/** Whether runs that are under way are to be stopped too. */
export function readCancelOptions(options: unknown): boolean {
  const { running = false } = checkKeys(options, ['running'], 'cancel options');
  return checkFlag(running, 'running');
}

/** What people do to single jobs from outside. Each answers the job as it is now, or null where there is none. */
export class JobActions<Id> {
  readonly #parts: ManageParts<Id>;

  constructor(parts: ManageParts<Id>) {
    this.#parts = parts;
  }

  async cancel(id: unknown, options?: CancelJobOptions): Promise<StoredJob<Id> | null> {
    const { store, clock, emit, engine, stats } = this.#parts;
    const change = { type: 'cancel', running: readCancelOptions(options) } as const;
    const result = await changeJob(store, id, change, () => clock.now());
    if (result === null) return null;
    if ('unchanged' in result) return result.unchanged;
    const { job, previousStatus } = result;
    if (previousStatus === JobStatus.PROCESSING) engine.stopRun(job._id, 'cancelled');
    engine.followUp.endedFromOutside(job);
    stats.clear();
    emit('job:cancelled', { job });
    return job;
  }

  /**
   * What was not to follow the job's end waits for it again: put back first, so that a crash leaves jobs that wait for one
   * that has ended, which the sweep sees; and once more, for what somebody has forgone between the two.
   */
  async retry(id: unknown): Promise<StoredJob<Id> | null> {
    const { store, clock, emit, engine, stats, followUps } = this.#parts;
    const parsed = store.parseId(id);
    if (parsed === undefined) return null;
    const followed = { parent: parsed };
    // A job that has not ended is refused, and what its series has kept from running stays as it is.
    if (await this.#isRetryable(parsed)) await waitAgain(followUps, followed);
    let result: ChangeResult<Id>;
    try {
      result = await changeJob(store, id, { type: 'retry' }, () => clock.now());
      await waitAgain(followUps, followed);
    } finally {
      // It may not have been retried, or have ended again already.
      const filter = { parents: [parsed], statuses: WAITING_STATUSES };
      for await (const waiting of pagesOf(followUps, filter)) await resolveWaiting(followUps, waiting);
    }
    if (result === null || 'unchanged' in result) return null;
    const { job, previousStatus } = result;
    engine.wake(job.nextRunAt);
    stats.clear();
    emit('job:retried', { job, previousStatus });
    return job;
  }

  async reschedule(id: unknown, runAt: Date): Promise<StoredJob<Id> | null> {
    return this.#makeDue(id, { type: 'reschedule', runAt: checkDate(runAt, 'runAt') });
  }

  async release(id: unknown): Promise<StoredJob<Id> | null> {
    return this.#makeDue(id, { type: 'release' });
  }

  /** Any status; whatever runs it is told to stop. */
  async delete(id: unknown): Promise<boolean> {
    const { store, emit, engine, stats } = this.#parts;
    const parsed = store.parseId(id);
    if (parsed === undefined) return false;
    const job = await this.#find(parsed);
    if ((await store.remove([parsed])) === 0) return false;
    if (job !== undefined) engine.followUp.endedFromOutside(job);
    engine.stopRun(parsed, 'deleted');
    stats.clear();
    emit('job:deleted', { jobId: String(parsed) });
    return true;
  }

  async #isRetryable(id: Id): Promise<boolean> {
    const job = await this.#find(id);
    return job !== undefined && changeableStatuses({ type: 'retry' }).includes(job.status);
  }

  /** The job without what may be large. */
  async #find(id: Id): Promise<StoredJob<Id> | undefined> {
    const filter = { ids: [id] };
    const request = { filter, by: 'id', direction: 'asc', limit: 1, light: true } as const;
    const [job] = await this.#parts.store.page(request);
    return job;
  }

  async #makeDue(
    id: unknown,
    change: { type: 'reschedule'; runAt: Date } | { type: 'release' },
  ): Promise<StoredJob<Id> | null> {
    const { store, clock, engine, stats } = this.#parts;
    const result = await changeJob(store, id, change, () => clock.now());
    if (result === null || 'unchanged' in result) return null;
    engine.wake(result.job.nextRunAt);
    stats.clear();
    return result.job;
  }
}
