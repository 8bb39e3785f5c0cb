import { type End, mayRunAfter } from '../../src/engine/follow-up/ends.js';
import { continueWith, enqueue } from '../../src/intake/enqueue.js';
import type { ContinueOn } from '../../src/job/enqueue-options.js';
import type { StoredJob } from '../../src/store/query-types.js';
import { continueBatchWith } from '../../src/workflow/continue-batch.js';
import { addToBatch, enqueueBatch } from '../../src/workflow/enqueue-batch.js';
import { VirtualHost } from '../engine/virtual-host.js';
import { Random } from '../simulation/random.js';
import { type NetworkEnd, overNetwork } from './unreliable-network.js';
import { type VirtualProcess, virtualProcess } from './virtual-process.js';
import { type Bug, WatchedStore } from './watched-store.js';

/** Processes that run at the same time. One that dies is replaced at once. */
const PROCESSES = 3;
/** Things that callers do in one history. */
const CALLS = 25;
/** Everything is over by then, in milliseconds: claims are recovered after 6 s, fills given up after a minute, twice. */
const CALM_MS = 240_000;
const OPTIONS = { lockTimeout: 6_000, pollInterval: 500 };
const ONS: readonly ContinueOn[] = ['success', 'failure', 'any'];

/** What callers were told. */
interface Told {
  readonly jobs: Set<string>;
  readonly byHand: Set<string>;
  readonly retried: Set<string>;
  /** Batches by id, with the labels of what was stored at once. */
  readonly fills: { batch: string; labels: string[]; isStored: boolean }[];
}

/**
 * Callers build chains, trees and batches while three processes run them, on a network that loses questions and answers,
 * and die now and then between any two steps. Answers what was wrong at the end; nothing, if all was well.
 */
export async function playHistory(seed: number, bug?: Bug): Promise<string[]> {
  const random = new Random(seed);
  const host = new VirtualHost();
  const store = new WatchedStore(host.trueTime, bug);
  const ends: NetworkEnd[] = [];
  const processes: VirtualProcess[] = [];
  const told: Told = { jobs: new Set(), byHand: new Set(), retried: new Set(), fills: [] };
  const failed = new Set<unknown>();
  // The first time: retried by hand, it is done.
  const fails = (data: unknown): boolean => {
    const isFirst = String(data).startsWith('fail') && !failed.has(data);
    failed.add(data);
    return isFirst;
  };
  const launch = async (): Promise<void> => {
    // Calm until it is initialised: a process that cannot begin is of no interest here.
    const end = { isDead: false, isCalm: true };
    const starting = virtualProcess(overNetwork(store, end, host, random), host, OPTIONS, fails);
    await host.advance(100);
    const process = await starting;
    end.isCalm = false;
    ends.push(end);
    processes.push(process);
    process.engine.start();
  };
  for (let index = 0; index < PROCESSES; index++) await launch();
  for (let number = 0; number < CALLS; number++) {
    const alive = processes.filter((_, index) => !ends[index]?.isDead);
    const caller = alive[random.below(alive.length)];
    if (caller !== undefined) void act(caller, store, random, number, told);
    await host.advance(random.below(250));
    if (!random.chance(0.12)) continue;
    const victim = ends.find(({ isDead }) => !isDead);
    if (victim !== undefined) victim.isDead = true;
    await launch();
  }
  await host.advance(2_000);
  for (const end of ends) end.isCalm = true;
  await host.advance(CALM_MS);
  const problems = await judge(store, told, processes);
  for (const [index, { engine }] of processes.entries()) {
    if (!ends[index]?.isDead) await Promise.all([engine.stop(), host.advance(5_000)]);
  }
  return problems;
}

/** One call of somebody; whether it takes effect is told only if it is answered. */
async function act(
  caller: VirtualProcess,
  store: WatchedStore,
  random: Random,
  number: number,
  told: Told,
): Promise<void> {
  const labels = Array.from({ length: 1 + random.below(4) }, (_, index) =>
    label(random, `${number}.${index}`),
  );
  const [first = ''] = labels;
  const options = { on: ONS[random.below(ONS.length)] };
  const any = await anyJob(store, random);
  const batch = told.fills[random.below(Math.max(1, told.fills.length))]?.batch;
  const kind = random.below(10);
  const items = labels.map((data) => ({ name: 'work', data }));
  try {
    if (kind <= 1 || any === undefined) note(await enqueue(caller, 'work', first, undefined));
    else if (kind <= 3) note(await continueWith(caller, any._id, 'work', first, options));
    else if (kind === 4 || batch === undefined)
      await fill(`batch ${number}`, () => enqueueBatch(caller, items, { id: `batch ${number}` }));
    else if (kind === 5) await fill(batch, () => addToBatch(caller, batch, items));
    else if (kind === 6) note(await continueBatchWith(caller, batch, 'work', first, options));
    else if (kind === 7) {
      told.byHand.add(any._id);
      await caller.actions.cancel(any._id);
    } else {
      told.retried.add(any._id);
      await caller.actions.retry(any._id);
    }
  } catch {
    // Lost, refused, or too late; what took effect is in the store.
  }

  function note({ _id }: StoredJob<string>): void {
    told.jobs.add(_id);
  }
  async function fill(id: string, store: () => Promise<unknown>): Promise<void> {
    const entry = { batch: id, labels, isStored: false };
    told.fills.push(entry);
    await store();
    entry.isStored = true;
  }
}

function label(random: Random, text: string): string {
  return random.chance(0.3) ? `fail ${text}` : text;
}

async function anyJob(store: WatchedStore, random: Random): Promise<StoredJob<string> | undefined> {
  const all = await store.page({ filter: {}, by: 'id', direction: 'asc', limit: 1_000 });
  // Nobody knows of members that are still being stored.
  const jobs = all.filter(
    ({ status, claimToken }) => status !== 'awaiting-batch' || claimToken === undefined,
  );
  return jobs[random.below(Math.max(1, jobs.length))];
}

async function judge(
  store: WatchedStore,
  told: Told,
  processes: readonly VirtualProcess[],
): Promise<string[]> {
  const jobs = await store.page({ filter: {}, by: 'id', direction: 'asc', limit: 10_000 });
  const byId = new Map(jobs.map((job) => [job._id, job]));
  const ran = new Set(processes.flatMap((process) => process.ran));
  const problems: string[] = [];
  for (const id of told.jobs) if (!byId.has(id)) problems.push(`${id} was acknowledged and is gone`);
  for (const job of jobs) {
    const name = `${job.data} (${job.status})`;
    if (!['completed', 'failed', 'cancelled'].includes(job.status)) problems.push(`${name} is not final`);
    if ((store.released.get(job._id) ?? 0) > 1 && !told.retried.has(job._id))
      problems.push(`${name} was let go twice`);
    problems.push(...(await judgeEnd(store, job, ran.has(job.data), told)));
  }
  for (const { batch, labels, isStored } of told.fills) {
    const stored = jobs.filter(({ data, batchId }) => batchId === batch && labels.includes(String(data)));
    if (stored.length !== 0 && stored.length !== labels.length) problems.push(`${batch} was stored in part`);
    if (isStored && stored.length === 0) problems.push(`${batch} was acknowledged and has no jobs`);
  }
  problems.push(...(await judgeBatches(store, jobs, processes)));
  return problems;
}

/** Whether a job ran only if it was to follow an end of what it follows, and surely if it was to follow the last one. */
async function judgeEnd(
  store: WatchedStore,
  job: StoredJob<string>,
  hasRun: boolean,
  told: Told,
): Promise<string[]> {
  const { parentJobId, awaitsBatchId } = job;
  if (told.byHand.has(job._id) || told.retried.has(job._id)) return [];
  const ends = new Set(parentJobId === undefined ? [] : store.ends.get(parentJobId));
  const [parent] = parentJobId === undefined ? [] : await store.get([parentJobId]);
  const [batch] = awaitsBatchId === undefined ? [] : await store.batches.get([awaitsBatchId]);
  const last = batch?.outcome ?? (parent?.status as End | undefined);
  if (last === undefined) return [];
  const what = `${job.data}, ${job.continueOn ?? 'success'} after ${[...ends].join(' and ')}, last ${last}`;
  if (hasRun && ![...ends, last].some((end) => mayRunAfter(end, job))) return [`${what} ran`];
  if (!hasRun && mayRunAfter(last, job)) return [`${what} did not run`];
  return [];
}

async function judgeBatches(
  store: WatchedStore,
  jobs: readonly StoredJob<string>[],
  processes: readonly VirtualProcess[],
): Promise<string[]> {
  const records = await store.batches.page({ direction: 'asc', limit: 1_000 });
  const complete = processes.flatMap((process) =>
    process.told('batch:complete').map(({ batch }) => batch.id),
  );
  const known = new Set(records.map(({ id }) => id));
  return [
    ...records.flatMap(({ id, finishedAt, fills }) =>
      finishedAt === undefined || fills.length > 0 ? [`${id} is not complete`] : [],
    ),
    ...jobs.flatMap(({ data, batchId }) =>
      batchId !== undefined && !known.has(batchId) ? [`${data} is in a batch that does not exist`] : [],
    ),
    ...(new Set(complete).size < complete.length ? ['a batch was complete twice'] : []),
  ];
}
