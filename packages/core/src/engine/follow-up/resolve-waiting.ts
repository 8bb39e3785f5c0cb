import { JobStatus, WAITING_STATUSES } from '../../job/status.js';
import { inChunks } from '../../store/in-chunks.js';
import type { StoredJob } from '../../store/query-types.js';
import { type End, type Ended, mayRunAfter, reasonToForgo } from './ends.js';
import { CHUNK, type FollowUpParts, pagesOf } from './follow-up-parts.js';
import { followedStates } from './followed.js';

/** A waiting job, and how what it follows has ended. */
interface Verdict {
  readonly job: StoredJob;
  readonly end: End;
}

/** Lets go, or forgoes, what waits for jobs that have ended; and in turn what waits for the forgone, to any depth. */
export async function followEnds(parts: FollowUpParts, ends: readonly Ended[]): Promise<void> {
  for (let level = ends; level.length > 0; ) {
    const forgone: Ended[] = [];
    for (const chunk of inChunks(level, CHUNK)) forgone.push(...(await followLevel(parts, chunk)));
    level = forgone;
  }
}

async function followLevel(parts: FollowUpParts, ends: readonly Ended[]): Promise<Ended[]> {
  const endOfParent = new Map(ends.map(({ id, end }) => [String(id), end]));
  const forgone: Ended[] = [];
  const filter = { parents: ends.map(({ id }) => id), statuses: [JobStatus.AWAITING_CONTINUATION] };
  for await (const children of pagesOf(parts, filter)) {
    const verdicts = children.flatMap((job): Verdict[] => {
      const end = endOfParent.get(String(job.parentJobId));
      return end === undefined ? [] : [{ job, end }];
    });
    forgone.push(...(await decide(parts, verdicts)));
  }
  return forgone;
}

/** The same for what follows a batch that is complete. */
export async function followBatch(parts: FollowUpParts, id: string, end: End): Promise<void> {
  const filter = { awaitsBatch: id, statuses: [JobStatus.AWAITING_BATCH] };
  for await (const jobs of pagesOf(parts, filter)) {
    const verdicts = jobs.map((job) => ({ job, end }));
    await followEnds(parts, await decide(parts, verdicts));
  }
}

/**
 * Looks at what waiting jobs follow, and lets go, forgoes or removes those whose wait is over. For jobs that began to
 * wait, perhaps a moment too late for those who look when it ends; and for what a crash left behind.
 */
export async function resolveWaiting(parts: FollowUpParts, waiting: readonly StoredJob[]): Promise<void> {
  if (waiting.length === 0) return;
  const stateOf = await followedStates(parts, waiting);
  const orphans = waiting.filter((job) => stateOf(job) === undefined);
  if (orphans.length > 0) {
    // One that was let go before what it followed was removed waits no more, and stays.
    const ids = orphans.map(({ _id }) => _id);
    await parts.store.removeWhere({ ids, statuses: WAITING_STATUSES }, ids.length);
  }
  const verdicts = waiting.flatMap((job): Verdict[] => {
    const state = stateOf(job) ?? 'open';
    return state === 'open' || state === 'recurring' ? [] : [{ job, end: state }];
  });
  await followEnds(parts, await decide(parts, verdicts));
}

/** Lets go or forgoes; answers what was forgone. Each write is conditional on the wait, so it takes effect once. */
async function decide(parts: FollowUpParts, verdicts: readonly Verdict[]): Promise<Ended[]> {
  const going = verdicts.filter(({ job, end }) => mayRunAfter(end, job));
  if (going.length > 0) await letGo(parts, going);
  const staying = verdicts.filter(({ job, end }) => !mayRunAfter(end, job));
  return staying.length === 0 ? [] : forgo(parts, staying);
}

async function letGo({ store, clock, released }: FollowUpParts, going: readonly Verdict[]): Promise<void> {
  const now = clock.now();
  const filter = { ids: going.map(({ job }) => job._id), statuses: WAITING_STATUSES };
  await store.changeWhere(filter, { type: 'proceed' }, now, going.length);
  const dueTimes = going.map(({ job }) => Math.max(job.nextRunAt?.getTime() ?? 0, now.getTime()));
  released(new Date(Math.min(...dueTimes)));
}

async function forgo(parts: FollowUpParts, staying: readonly Verdict[]): Promise<Ended[]> {
  const { store, clock, emit } = parts;
  const byReason = new Map<string, unknown[]>();
  for (const { job, end } of staying) {
    const reason = reasonToForgo(end, job);
    const ids = byReason.get(reason);
    if (ids === undefined) byReason.set(reason, [job._id]);
    else ids.push(job._id);
  }
  const forgone: StoredJob[] = [];
  for (const [reason, ids] of byReason) {
    const changed = await store.change(ids, { type: 'forgo', reason }, clock.now());
    for (const { job } of changed) forgone.push(job);
  }
  const again = await takeBack(parts, forgone, staying);
  const stayed = forgone.filter(({ _id }) => !again.has(String(_id)));
  for (const job of stayed) emit('job:cancelled', { job });
  return stayed.map(({ _id }) => ({ id: _id, end: 'cancelled' }));
}

/**
 * What a job follows may have been retried by hand just before it was forgone: then it waits again. Those who retry look
 * for the forgone once more when they have retried, so one of the two sees the other. Answers what waits again.
 */
async function takeBack(
  parts: FollowUpParts,
  forgone: readonly StoredJob[],
  verdicts: readonly Verdict[],
): Promise<Set<string>> {
  const assumed = new Map(verdicts.map(({ job, end }) => [String(job._id), end]));
  const stateOf = await followedStates(parts, forgone);
  const wrong = forgone.filter((job) => {
    const state = stateOf(job) ?? 'recurring';
    return state !== 'recurring' && state !== assumed.get(String(job._id));
  });
  if (wrong.length === 0) return new Set();
  const ids = wrong.map(({ _id }) => _id);
  const changed = await parts.store.change(ids, { type: 'await' }, parts.clock.now());
  const waiting = changed.map(({ job }) => job);
  await resolveWaiting(parts, waiting);
  return new Set(waiting.map(({ _id }) => String(_id)));
}
