import type { ObjectId } from 'mongodb';
import type { ClaimRequest, ClaimResult } from '../../store/claim-types.js';
import { inChunks } from '../../store/in-chunks.js';
import type { StoredJob } from '../../store/query-types.js';
import { answered } from '../answered.js';
import { type JobDocument, type Jobs, toStoredJob } from '../documents/job-document.js';
import type { MongoContext } from '../mongo-context.js';
import { claimAnnounced, mayClaimAnnounced } from './claim-announced.js';
import { claimUpdate } from './claim-update.js';
import type { DueSelector } from './select-due.js';
import type { UncertainClaims } from './uncertain-claims.js';

/** Jobs from which on a claim is written in two halves. */
const SPLIT_FROM = 200;

/**
 * Takes due jobs: one look at what is due, one write for all of it, or two. The write repeats the conditions of the
 * look, so of several processes that saw the same job one gets it, and the others learn from the count that they
 * did not. Index: those of due-queries.ts for the look, _id_ for the write.
 *
 * A crash after the write leaves claims that nobody renews: recovery gives them back.
 */
export async function claim(
  context: MongoContext,
  selector: DueSelector,
  uncertain: UncertainClaims,
  request: ClaimRequest,
): Promise<ClaimResult<ObjectId>> {
  await answered(uncertain.giveBack(request.now));
  if (selector.isQuiet(request) && mayClaimAnnounced(request)) {
    const job = await claimAfterSilence(context, uncertain, request);
    if (job !== undefined) {
      selector.endQuiet();
      return { jobs: [job], more: true };
    }
  }
  const { documents, cut } = await answered(selector.select(request));
  if (documents.length === 0) return { jobs: [], more: cut };
  context.owners.note(request.token, request.owner);
  const { jobs } = context;
  const won = await answered(take(jobs, documents, request)).catch((error: unknown) => {
    uncertain.add(
      documents.map(({ _id }) => _id),
      request.token,
    );
    throw error;
  });
  const lost = documents.length - won.length;
  selector.noteLost(lost, documents.length);
  return {
    jobs: won.map((document) => claimed(document, request)),
    // Where others were faster, whatever lies behind what they took was not looked at.
    more: cut || lost > 0,
  };
}

/** The latest look found nothing: takes the job that was told of since, where it is the only one. */
async function claimAfterSilence(
  context: MongoContext,
  uncertain: UncertainClaims,
  request: ClaimRequest,
): Promise<StoredJob<ObjectId> | undefined> {
  const names = request.wants.map(({ name }) => name);
  const id = context.announced.takeOnly(names, request.now);
  if (id === undefined) return undefined;
  return answered(claimAnnounced(context, id, request)).catch((error: unknown) => {
    uncertain.add([id], request.token);
    throw error;
  });
}

/** Writes the claims; answers the jobs that this process got. */
async function take(
  jobs: Jobs,
  documents: readonly JobDocument[],
  request: ClaimRequest,
): Promise<readonly JobDocument[]> {
  const matched = await writeClaims(
    jobs,
    documents.map(({ _id }) => _id),
    request,
  );
  const won = matched === documents.length ? documents : await readWon(jobs, documents, request.token);
  return readReplaced(jobs, won, request.token);
}

/**
 * Answers how many were claimed. Large claims go out as two writes at the same time, since the server works off each
 * on one core. Both are waited for, whatever comes of them: what is uncertain is given back, and must not be written later.
 */
async function writeClaims(jobs: Jobs, ids: readonly ObjectId[], request: ClaimRequest): Promise<number> {
  const size = ids.length < SPLIT_FROM ? SPLIT_FROM : Math.ceil(ids.length / 2);
  const writes = inChunks(ids, size).map((chunk) =>
    jobs.updateMany(
      { _id: { $in: chunk }, status: 'pending', claimedBy: null, nextRunAt: { $lte: request.now } },
      claimUpdate(request),
      { hint: { _id: 1 } },
    ),
  );
  let matched = 0;
  for (const write of await Promise.allSettled(writes)) {
    if (write.status === 'rejected') throw write.reason;
    matched += write.value.matchedCount;
  }
  return matched;
}

/** Which of the documents carry this claim's token. Index: _id_. */
async function readWon(jobs: Jobs, documents: readonly JobDocument[], token: string): Promise<JobDocument[]> {
  const ids = documents.map(({ _id }) => _id);
  const mine = await jobs
    .find({ _id: { $in: ids }, claimToken: token }, { projection: { _id: 1 }, hint: { _id: 1 } })
    .toArray();
  const won = new Set(mine.map(({ _id }) => _id.toHexString()));
  return documents.filter(({ _id }) => won.has(_id.toHexString()));
}

/**
 * Jobs with a unique key as they are stored now. `onDuplicate: 'replace'` may have put other data into one between the
 * look and the write, and its caller was told so: what runs must be that. Those without a key nobody replaces. Index: _id_.
 */
async function readReplaced(
  jobs: Jobs,
  documents: readonly JobDocument[],
  token: string,
): Promise<readonly JobDocument[]> {
  const keyed = documents.filter(isKeyed).map(({ _id }) => _id);
  if (keyed.length === 0) return documents;
  const stored = await jobs
    .find({ _id: { $in: keyed }, claimToken: token, status: 'processing' }, { hint: { _id: 1 } })
    .toArray();
  const byId = new Map(stored.map((document) => [document._id.toHexString(), document]));
  return documents.flatMap((document) =>
    isKeyed(document) ? (byId.get(document._id.toHexString()) ?? []) : document,
  );
}

function isKeyed({ uniqueKey }: JobDocument): boolean {
  return typeof uniqueKey === 'string';
}

/** The job as it is now stored; its times are those that the engine knows, a moment from the server's. */
function claimed(document: JobDocument, request: ClaimRequest): StoredJob<ObjectId> {
  // Each field of each job gets a date of its own: handlers may change theirs.
  const now = request.now.getTime();
  // Onto the document itself, which was read for this claim alone: a copy of each would show.
  const changes: Partial<JobDocument> = {
    status: 'processing',
    claimedBy: request.owner,
    claimToken: request.token,
    lockedAt: new Date(now),
    lastHeartbeat: new Date(now),
    heartbeatInterval: request.heartbeatInterval,
    updatedAt: new Date(now),
  };
  return toStoredJob(Object.assign(document, changes));
}
