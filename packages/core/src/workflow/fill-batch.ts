import { fillOf, finishFill, forgetFill, undoFill, withFill } from '../engine/follow-up/fills.js';
import { updateBatch } from '../engine/follow-up/update-batch.js';
import { ConnectionError } from '../errors/operation-errors.js';
import { batchLength } from '../intake/batch-length.js';
import type { CheckedInput } from '../intake/check-job-input.js';
import { toInsert } from '../intake/enqueue.js';
import { isConnectionFailure } from '../intake/is-connection-failure.js';
import { toError } from '../job/thrown.js';
import type { BatchFill } from '../store/batch-types.js';
import type { StoredJob } from '../store/query-types.js';
import type { WorkflowParts } from './workflow-parts.js';

/** Most members of one insert. */
const MAX_JOBS = 1_000;
/** How often a fill gives a sign of life, in milliseconds; well within the minute after which it counts as dead. */
const SIGN_OF_LIFE_MS = 10_000;

/**
 * Brings members into a batch that has a fill for them: all of them, or none. They are stored as waiting, in portions; the
 * one write that commits the fill decides; then they are released, in portions. A crash before that write leaves members
 * that nobody has seen, which the sweep of any process removes; a crash after it leaves members that the sweep releases.
 */
export async function fillBatch<Id>(
  parts: WorkflowParts<Id>,
  id: string,
  token: string,
  inputs: readonly CheckedInput[],
): Promise<StoredJob<Id>[]> {
  const { followUps, clock, emit } = parts;
  let jobs: StoredJob<Id>[] = [];
  try {
    jobs = await storeMembers(parts, id, token, inputs);
    await sayAlive(parts, id, token, 'committed');
  } catch (error) {
    // The commit may have taken effect although its answer never came; then everything is stored.
    const state = await undoFill(followUps, id, token).catch(() => 'unknown' as const);
    if (state !== 'committed') {
      // After a failure of the connection an insert may still be on its way: the sweep looks once more.
      if (state === 'undone' && !isConnectionFailure(causeOf(error))) await forgetFill(followUps, id, token);
      throw error;
    }
  }
  const now = clock.now();
  try {
    await finishFill(followUps, id, token, now);
  } catch (thrown) {
    // The batch is stored: the sweep of any process releases what is left.
    emit('job:error', { error: toError(thrown) });
  }
  return jobs.map((job) => released(job, now));
}

async function storeMembers<Id>(
  parts: WorkflowParts<Id>,
  id: string,
  token: string,
  inputs: readonly CheckedInput[],
): Promise<StoredJob<Id>[]> {
  const { store, clock } = parts;
  const links = { status: 'awaiting-batch', batchId: id, claimToken: token } as const;
  const jobs: StoredJob<Id>[] = [];
  let signAt = clock.millis();
  for (let start = 0; start < inputs.length; ) {
    const portion = inputs.slice(start, start + batchLength(inputs, start, MAX_JOBS));
    const now = clock.now();
    const inserted = await store.insert(portion.map((input) => toInsert({ ...input, links }, now)));
    for (const { job } of inserted) jobs.push(job);
    start += portion.length;
    if (clock.millis() - signAt < SIGN_OF_LIFE_MS) continue;
    signAt = clock.millis();
    await sayAlive(parts, id, token, 'open');
  }
  return jobs;
}

/** Says that this fill goes on, or that all of it is stored. Refused where others have given it up meanwhile. */
async function sayAlive<Id>(
  { followUps, clock }: WorkflowParts<Id>,
  id: string,
  token: string,
  state: BatchFill['state'],
): Promise<void> {
  let found: BatchFill['state'] | undefined;
  await updateBatch(followUps, id, (record) => {
    const fill = fillOf(record, token);
    found = fill?.state;
    return fill?.state === 'open' ? withFill(record, { ...fill, state, at: clock.now() }) : undefined;
  });
  if (found === 'open' || found === state) return;
  throw new ConnectionError(
    'The jobs of the batch could not be stored: the database was out of reach for more than a minute. ' +
      'None of them will run. Try again',
  );
}

/** A member as its release left it. */
function released<Id>({ claimToken: _, ...job }: StoredJob<Id>, now: Date): StoredJob<Id> {
  return {
    ...(job as StoredJob<Id>),
    status: 'pending',
    nextRunAt: job.nextRunAt > now ? job.nextRunAt : now,
    updatedAt: now,
  };
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectionError ? (error.cause ?? error) : error;
}
