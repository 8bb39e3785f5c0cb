import type { ClientSession } from 'mongodb';
import { ACTIVE_STATUSES } from '../../job/status.js';
import { inChunks } from '../../store/in-chunks.js';
import type { NewJob } from '../../store/insert-types.js';
import type { JobDocument } from '../documents/job-document.js';
import { replacement } from '../documents/new-document.js';
import type { MongoContext } from '../mongo-context.js';

/** Keys that are looked up with one query. */
const KEYS_PER_QUERY = 500;

/** A unique key as text, or undefined for a job without one. Names hold no control characters. */
export function keyOf({ name, uniqueKey }: Pick<JobDocument, 'name' | 'uniqueKey'>): string | undefined {
  return uniqueKey === undefined ? undefined : `${name}\n${uniqueKey}`;
}

/** The active jobs that hold the keys of these, by key. Index: name_1_uniqueKey_1. */
export async function findHolders(
  { jobs }: MongoContext,
  documents: readonly JobDocument[],
  session?: ClientSession,
): Promise<Map<string, JobDocument>> {
  const holders = new Map<string, JobDocument>();
  for (const [name, keys] of keysByName(documents)) {
    for (const chunk of inChunks([...keys], KEYS_PER_QUERY)) {
      const found = await jobs
        .find({ name, uniqueKey: { $in: chunk }, status: { $in: [...ACTIVE_STATUSES] } }, inSession(session))
        .toArray();
      for (const job of found) holders.set(keyOf(job) ?? '', job);
    }
  }
  return holders;
}

function keysByName(documents: readonly JobDocument[]): Map<string, Set<string>> {
  const byName = new Map<string, Set<string>>();
  for (const { name, uniqueKey } of documents) {
    if (uniqueKey === undefined) continue;
    const keys = byName.get(name) ?? new Set();
    byName.set(name, keys.add(uniqueKey));
  }
  return byName;
}

/** Puts a job into the place of the pending one that holds its key, if there is one. Index: name_1_uniqueKey_1. */
export async function replaceHolder(
  { jobs }: MongoContext,
  job: NewJob,
  session?: ClientSession,
): Promise<JobDocument | undefined> {
  if (job.uniqueKey === undefined) return undefined;
  const replaced = await jobs.findOneAndUpdate(
    { name: job.name, uniqueKey: job.uniqueKey, status: 'pending' },
    replacement(job),
    { returnDocument: 'after', ...inSession(session) },
  );
  return replaced ?? undefined;
}

function inSession(session: ClientSession | undefined): { session?: ClientSession } {
  return session === undefined ? {} : { session };
}
