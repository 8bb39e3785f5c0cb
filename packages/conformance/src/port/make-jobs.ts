import type { Insert, JobStore, NewJob, StoredJob } from '@monque/core';

/** The moment at which jobs of these tests were created and due, unless they say otherwise. */
export const PAST = new Date('2026-01-05T10:00:00.000Z');

/** A moment some milliseconds after {@link PAST}, and before it where they are negative. */
export function after(milliseconds: number): Date {
  return new Date(PAST.getTime() + milliseconds);
}

/** A job that is due, with whatever the test cares about. */
export function newJob(parts: Partial<NewJob> = {}): NewJob {
  return { name: 'work', data: {}, status: 'pending', nextRunAt: PAST, createdAt: PAST, ...parts };
}

/** As many due jobs, numbered in their data. */
export function jobs(count: number, parts: Partial<NewJob> = {}): NewJob[] {
  return Array.from({ length: count }, (_, number) => newJob({ data: { number }, ...parts }));
}

/** Requests that keep what exists. */
export function keeping(...newJobs: readonly NewJob[]): Insert[] {
  return newJobs.map((job) => ({ job, onDuplicate: 'keep' }));
}

/** Stores jobs, and answers them as stored. */
export async function add(store: JobStore, ...newJobs: readonly NewJob[]): Promise<StoredJob[]> {
  const inserted = await store.insert(keeping(...newJobs));
  return inserted.map(({ job }) => job);
}

/** Stores one job, and answers it as stored. */
export async function addOne(store: JobStore, parts: Partial<NewJob> = {}): Promise<StoredJob> {
  return only(await add(store, newJob(parts)));
}

/** The single item of a list that must have exactly one. */
export function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`Expected one item, got ${items.length}`);
  return item;
}

/** Reads a job that must exist. */
export async function stored(store: JobStore, { _id }: { _id: unknown }): Promise<StoredJob> {
  return only(await store.get([_id]));
}

/** Ids as text, whatever the store's own kind is. */
export function ids(list: readonly { _id: unknown }[]): string[] {
  return list.map(({ _id }) => String(_id));
}

/** The dates in a job's own fields. */
export function datesOf(job: StoredJob): Date[] {
  return Object.values(job).filter((value) => value instanceof Date);
}
