import type { Insert, Inserted } from '@monque/core';
import type { SqlContext } from '../context.js';
import type { Operation } from '../operation.js';
import { get } from '../operations/read-jobs.js';
import type { Writer } from '../writer.js';
import { findHolders, replaceHolder } from './key-holders.js';
import { type NewRow, newRow, storedJob } from './new-row.js';

/** A job that is not stored yet, and its place in the request. */
interface Waiting {
  readonly index: number;
  readonly row: NewRow;
  readonly replaces: boolean;
}

/** How long a loser of races for a unique key goes on, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Whether a batch is written by one statement, and so needs no transaction around it. */
export function isSingleInsert(inserts: readonly Insert[]): boolean {
  return inserts.every(({ job }) => job.uniqueKey === undefined);
}

/**
 * Stores jobs. A unique key that is taken leaves its row out: then the job that holds it is the answer. If that one
 * ended in the meantime, the key is free and the row is tried again. Index: IX_Monque_Jobs_ActiveKey, unique.
 */
export function* insert(
  context: SqlContext,
  writer: Writer,
  inserts: readonly Insert[],
): Operation<Inserted<string>[]> {
  const answers: Inserted<string>[] = [];
  const deadline = Date.now() + PATIENCE_MS;
  let waiting = inserts.map(
    (one, index): Waiting => ({ index, row: newRow(context, one), replaces: one.onDuplicate === 'replace' }),
  );
  while (waiting.length > 0) {
    const [round, later] = firstOfEachKey(waiting);
    const unresolved = yield* insertRound(context, writer, round, answers);
    if (unresolved.length > 0 && Date.now() > deadline) {
      throw new Error('A unique key changed hands too often while its job was being stored. Try again');
    }
    waiting = [...unresolved, ...later];
  }
  return answers;
}

/** Jobs with the same key go one after the other, each meeting what the one before it left. */
function firstOfEachKey(waiting: readonly Waiting[]): [round: Waiting[], later: Waiting[]] {
  const keys = new Set<string>();
  const round: Waiting[] = [];
  const later: Waiting[] = [];
  for (const one of waiting) {
    const { keyHash } = one.row;
    (keyHash !== undefined && keys.has(keyHash) ? later : round).push(one);
    if (keyHash !== undefined) keys.add(keyHash);
  }
  return [round, later];
}

/** Stores or finds each of the round; answers those whose key has become free in the meantime. */
function* insertRound(
  context: SqlContext,
  writer: Writer,
  round: readonly Waiting[],
  answers: Inserted<string>[],
): Operation<Waiting[]> {
  const blocked = yield* blockedByOthers(context, round);
  const free = round.filter((one) => !blocked.includes(one));
  const stored = free.length === 0 ? NONE : yield* writer.insert(free.map(({ row }) => row));
  const refused = [...blocked];
  for (const one of free) {
    const { id, keyHash, hasIdentity } = one.row;
    // An id that exists already and is no identity is our own: our caller repeats a write that had taken effect.
    if (stored.has(id) || (keyHash === undefined && !hasIdentity)) {
      answers[one.index] = { job: storedJob(one.row), outcome: 'inserted' };
    } else refused.push(one);
  }
  return refused.length === 0 ? [] : yield* resolveDuplicates(context, refused, answers);
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Those of the round that are known to meet a taken key before they are sent. Held jobs do not occupy their keys yet, so
 * the index lets them pass; a key that is taken keeps them out all the same.
 */
function* blockedByOthers(context: SqlContext, round: readonly Waiting[]): Operation<Waiting[]> {
  const asked = round.filter(
    ({ row }) => row.keyHash !== undefined && (row.job.status === 'created' || context.dialect.conflictsLock),
  );
  if (asked.length === 0) return [];
  const holders = yield* findHolders(
    context,
    asked.map(({ row }) => row),
  );
  return asked.filter(({ row }) => holders.has(row.keyHash ?? ''));
}

/** Finds the jobs that hold the keys; answers those whose key has become free. */
function* resolveDuplicates(
  context: SqlContext,
  refused: readonly Waiting[],
  answers: Inserted<string>[],
): Operation<Waiting[]> {
  const found = yield* get(
    context,
    refused.map(({ row }) => row.id),
  );
  const own = new Map(found.map((job) => [job._id, job]));
  const replaced = new Set<Waiting>();
  for (const one of refused) {
    if (one.replaces && !own.has(one.row.id) && (yield* replaceHolder(context, one.row))) replaced.add(one);
  }
  const holders = yield* findHolders(
    context,
    refused.map(({ row }) => row),
  );
  return refused.filter((one) => {
    const same = own.get(one.row.id);
    if (same !== undefined) {
      answers[one.index] = one.row.hasIdentity
        ? { job: same, outcome: 'existing' }
        : { job: storedJob(one.row), outcome: 'inserted' };
      return false;
    }
    const holder = holders.get(one.row.keyHash ?? '');
    if (holder === undefined) return true;
    answers[one.index] = { job: holder, outcome: replaced.has(one) ? 'replaced' : 'existing' };
    return false;
  });
}
