import type { Contender, JobData, NewJob } from '../contenders/contender.js';
import { monotonic } from '../measure/monotonic.js';
import type { EnqueueRequest, SendRequest } from './commands.js';

/** Calls under way at the same time. */
const IN_FLIGHT = 50;
/** Jobs per call. */
const BULK = 1_000;

/** Hands jobs in; resolves with the milliseconds that it took, or undefined where the system has no such call. */
export async function enqueue(contender: Contender, request: EnqueueRequest): Promise<number | undefined> {
  if (request.mode === 'bulk' && contender.enqueueMany === undefined) return undefined;
  const { count, names, ms } = request;
  const jobs = Array.from({ length: count }, (_, index) => newJob(names, index, ms));
  const start = monotonic();
  if (request.mode === 'bulk') {
    for (let from = 0; from < count; from += BULK)
      await contender.enqueueMany?.(jobs.slice(from, from + BULK));
  } else {
    await enqueueInLanes(contender, jobs, request.mode === 'in flight' ? IN_FLIGHT : 1);
  }
  return monotonic() - start;
}

/** Hands jobs in at a pace, whatever becomes of them: a slow answer does not delay the next one. */
export async function send(contender: Contender, request: SendRequest): Promise<void> {
  const { count, name, every, first, timed, ms } = request;
  const start = monotonic();
  const calls: Promise<unknown>[] = [];
  for (let index = 0; index < count; index++) {
    const due = start + (index + Math.random()) * every;
    const wait = due - monotonic();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(contender.enqueue({ name, data: jobData(first + index, ms, timed) }));
  }
  await Promise.all(calls);
}

function newJob(names: readonly string[], n: number, ms: number | undefined): NewJob {
  return { name: names[n % names.length] ?? '', data: jobData(n, ms, false) };
}

function jobData(n: number, ms: number | undefined, timed: boolean): JobData {
  return { n, ...(ms === undefined ? {} : { ms }), ...(timed ? { sentAt: monotonic() } : {}) };
}

async function enqueueInLanes(contender: Contender, jobs: readonly NewJob[], lanes: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await contender.enqueue(job);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
