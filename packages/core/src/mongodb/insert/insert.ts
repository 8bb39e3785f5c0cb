import type { ObjectId } from 'mongodb';
import type { Insert, Inserted, InsertOptions } from '../../store/insert-types.js';
import { checkSession } from '../check-session.js';
import { idOfIdentity } from '../documents/identity.js';
import { type JobDocument, toStoredJob } from '../documents/job-document.js';
import { newDocument } from '../documents/new-document.js';
import { DUPLICATE_KEY, errorCode, isSameId, refusedInserts } from '../driver-errors.js';
import type { MongoContext } from '../mongo-context.js';
import { insertInSession } from './insert-in-session.js';
import { findHolders, keyOf, replaceHolder } from './key-holders.js';
import { upsertUnique } from './upsert-unique.js';

/** A job that is not stored yet, and its place in the request. */
interface Waiting {
  readonly index: number;
  readonly insert: Insert;
  readonly document: JobDocument;
}

/**
 * The ids of requests. One that is sent again after an error keeps its id, so that a job that the first try stored
 * shows as a duplicate of itself, and not as a second job.
 */
const idsOfRequests = new WeakMap<Insert, ObjectId>();

/** How long a loser of races for a unique key goes on, in milliseconds; each race takes two round trips. */
const PATIENCE_MS = 30_000;

/**
 * Stores jobs with one unordered insert. A unique key that is taken shows as a duplicate: then the job that holds
 * it is the answer. If that one ended in the meantime, the key is free and the insert is tried again.
 * Index: name_1_uniqueKey_1, unique, partial: active jobs.
 *
 * Where that index is known to be missing, jobs with a unique key are stored one by one instead, each by an upsert that
 * finds the existing one. Whether it is there is looked at now and then, beside the insert. A gap stays: for up to a
 * second after the index was dropped, and among processes that store the same key at the very same moment without
 * it, a key may be stored twice.
 */
export async function insert(
  context: MongoContext,
  inserts: readonly Insert[],
  options: InsertOptions = {},
): Promise<Inserted<ObjectId>[]> {
  if (options.session !== undefined) return insertInSession(context, inserts, checkSession(options.session));
  const answers: Inserted<ObjectId>[] = [];
  const deadline = Date.now() + PATIENCE_MS;
  const looking = inserts.some(({ job }) => job.uniqueKey !== undefined)
    ? context.lookAfterKeys()
    : undefined;
  if (!context.guardsKeys) await looking;
  let waiting = inserts.map(
    (one, index): Waiting => ({ index, insert: one, document: newDocument(idOf(context, one), one.job) }),
  );
  while (waiting.length > 0) {
    const [round, later] = firstOfEachKey(waiting);
    const blocked = await heldBehindOthers(context, round);
    const refused = [
      ...blocked,
      ...(await insertRound(
        context,
        round.filter((one) => !blocked.includes(one)),
        answers,
      )),
    ];
    const unresolved = await resolveDuplicates(context, refused, answers);
    if (unresolved.length > 0 && Date.now() > deadline) {
      throw new Error('A unique key changed hands too often while its job was being stored. Try again');
    }
    waiting = [...unresolved, ...later];
  }
  // Before the answer: whoever stores the same key after it finds the index in place again.
  await looking;
  return answers;
}

function idOf(context: MongoContext, insert: Insert): ObjectId {
  const { identity, job } = insert;
  if (identity !== undefined) return idOfIdentity(context.driver.ObjectId, identity, job.nextRunAt);
  const id = idsOfRequests.get(insert) ?? context.newId();
  idsOfRequests.set(insert, id);
  return id;
}

/** An unordered batch may be stored in any order, so jobs with the same key go one after the other. */
function firstOfEachKey(waiting: readonly Waiting[]): [round: Waiting[], later: Waiting[]] {
  const keys = new Set<string>();
  const round: Waiting[] = [];
  const later: Waiting[] = [];
  for (const one of waiting) {
    const key = keyOf(one.document);
    (key !== undefined && keys.has(key) ? later : round).push(one);
    if (key !== undefined) keys.add(key);
  }
  return [round, later];
}

/** Held jobs do not occupy their keys yet, so the index lets them pass; a key that is taken keeps them out all the same. */
async function heldBehindOthers(context: MongoContext, round: readonly Waiting[]): Promise<Waiting[]> {
  const held = round.filter(
    ({ document }) => document.status === 'created' && document.uniqueKey !== undefined,
  );
  if (held.length === 0) return [];
  const holders = await findHolders(
    context,
    held.map(({ document }) => document),
  );
  return held.filter(({ document }) => holders.has(keyOf(document) ?? ''));
}

/** Inserts; answers those whose unique key is taken. */
async function insertRound(
  context: MongoContext,
  round: readonly Waiting[],
  answers: Inserted<ObjectId>[],
): Promise<Waiting[]> {
  if (context.guardsKeys) return insertTogether(context, round, answers);
  const free = round.filter(({ document }) => document.uniqueKey === undefined);
  const refused = await insertTogether(context, free, answers);
  for (const one of round) {
    const { uniqueKey } = one.document;
    if (uniqueKey === undefined) continue;
    const answer = await upsert(context, one, uniqueKey);
    if (answer === undefined) refused.push(one);
    else answers[one.index] = answer;
  }
  return refused;
}

/** Answers undefined where another process was faster, and the index is back and says so. */
async function upsert(
  context: MongoContext,
  { insert: request, document }: Waiting,
  uniqueKey: string,
): Promise<Inserted<ObjectId> | undefined> {
  try {
    return await upsertUnique(context, request, { ...document, uniqueKey });
  } catch (error) {
    if (errorCode(error) !== DUPLICATE_KEY) throw error;
    // Its own id: an earlier try stored it, and it has ended since.
    return isSameId(error) ? { job: toStoredJob(document), outcome: 'inserted' } : undefined;
  }
}

async function insertTogether(
  context: MongoContext,
  round: readonly Waiting[],
  answers: Inserted<ObjectId>[],
): Promise<Waiting[]> {
  if (round.length === 0) return [];
  const existing = new Set<number>();
  const duplicates = new Set<number>();
  try {
    await write(
      context,
      round.map(({ document }) => document),
    );
  } catch (error) {
    const failures = refusedInserts(error);
    if (failures === undefined || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    for (const { index, sameId } of failures) {
      if (!sameId) duplicates.add(index);
      else if (round[index]?.insert.identity !== undefined) existing.add(index);
      // Any other duplicate id can only be our own: the driver, or our caller, repeated a write that had taken effect.
    }
  }
  await answerExisting(
    context,
    round.filter((_, index) => existing.has(index)),
    answers,
  );
  return round.filter((one, index) => {
    if (duplicates.has(index)) return true;
    if (existing.has(index)) return false;
    answers[one.index] = { job: toStoredJob(one.document), outcome: 'inserted' };
    if (round.length === 1) announce(context, one.document);
    return false;
  });
}

/** One job by itself takes the driver less: whoever hands it in waits for that. */
async function write({ jobs }: MongoContext, documents: readonly JobDocument[]): Promise<void> {
  const [first] = documents;
  if (first !== undefined && documents.length === 1) await jobs.insertOne(first);
  else await jobs.insertMany(documents, { ordered: false });
}

/** Lets a worker of this process take the job by its id. */
function announce({ announced }: MongoContext, { _id, name, status, nextRunAt }: JobDocument): void {
  if (status === 'pending') announced.note({ id: _id, name, nextRunAt });
}

/** Answers the jobs that carry these identities. One that was removed meanwhile is told as it would have been stored. */
async function answerExisting(
  { jobs }: MongoContext,
  waiting: readonly Waiting[],
  answers: Inserted<ObjectId>[],
): Promise<void> {
  if (waiting.length === 0) return;
  const found = await jobs.find({ _id: { $in: waiting.map(({ document }) => document._id) } }).toArray();
  const byId = new Map(found.map((job) => [job._id.toHexString(), job]));
  for (const { index, document } of waiting) {
    const job = byId.get(document._id.toHexString()) ?? document;
    answers[index] = { job: toStoredJob(job), outcome: 'existing' };
  }
}

/** Finds the jobs that hold the keys; answers those whose key has become free. */
async function resolveDuplicates(
  context: MongoContext,
  refused: readonly Waiting[],
  answers: Inserted<ObjectId>[],
): Promise<Waiting[]> {
  const kept: Waiting[] = [];
  for (const one of refused) {
    const replaced =
      one.insert.onDuplicate === 'replace' ? await replaceHolder(context, one.insert.job) : undefined;
    if (replaced === undefined) kept.push(one);
    else answers[one.index] = { job: toStoredJob(replaced), outcome: 'replaced' };
  }
  const holders = await findHolders(
    context,
    kept.map(({ document }) => document),
  );
  return kept.filter((one) => {
    const holder = holders.get(keyOf(one.document) ?? '');
    if (holder === undefined) return true;
    answers[one.index] = { job: toStoredJob(holder), outcome: 'existing' };
    return false;
  });
}
