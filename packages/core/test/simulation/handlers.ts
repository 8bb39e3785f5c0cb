import { CancelRun, PermanentError, RetryAfter } from '../../src/errors/steering.js';
import type { JobContext } from '../../src/job/handler.js';
import type { StoredJob } from '../../src/store/query-types.js';
import type { History } from './history.js';
import type { HandlerRun, Ledger } from './ledger.js';
import type { Behaviour } from './plan.js';
import type { SimulatedProcess } from './simulated-process.js';
import { nameOf } from './world.js';

/** What every job of a history carries. */
export interface JobData {
  /** Tells the calls apart that stored jobs. */
  readonly label: number;
  readonly script: readonly Behaviour[];
}

const AT_ONCE: Behaviour = { type: 'succeed', takes: 0 };

/** The handler of every job: plays the next part of the job's script, and has itself checked before and after. */
export function handlerFor(process: SimulatedProcess, history: History) {
  return async (job: StoredJob, context: JobContext<unknown>): Promise<unknown> => {
    const run = begin(process, history, job);
    const end = (): void => {
      run.endedAt ??= process.clock();
    };
    // A run whose time is up ends for the engine there and then, whatever the handler does.
    if (job.timeout !== undefined) process.host.deliver(job.timeout, end);
    try {
      run.result = await play(process, history, job, context);
      run.how = 'returned';
      return run.result;
    } catch (thrown) {
      run.how = context.signal.aborted ? 'gave up' : 'threw';
      throw thrown;
    } finally {
      end();
      history.world.say(process.name, () => `handler of ${nameOf(job._id)} ${run.how}`);
    }
  };
}

/** A handler is called once per claim, and only in the process that made it. */
function begin(process: SimulatedProcess, { world, ledger }: History, job: StoredJob): HandlerRun {
  const run: HandlerRun = {};
  const claim = ledger.claim(job._id, job.claimToken);
  world.say(process.name, () => `handler of ${nameOf(job._id)} begins under ${job.claimToken}`);
  if (claim?.owner !== process) world.violate(`${process.name} runs ${nameOf(job._id)} without a claim`);
  else if (claim.run !== undefined)
    world.violate(`${process.name} runs ${nameOf(job._id)} twice under one claim`);
  else claim.run = run;
  ledger.returns.delete(String(job._id));
  checkSlots(process, ledger, job.name);
  return run;
}

/**
 * No more handlers run at a time than there are slots. Those that lost their claim, or whose time is up, are let go
 * and count for nothing; so those that have a timeout are left out.
 */
function checkSlots(process: SimulatedProcess, ledger: Ledger, name: string): void {
  const { concurrency, limit } = process.plan;
  const running = [...ledger.jobs.values()].filter((job) => {
    const claim = job.timeout === undefined ? ledger.holderOf(job) : undefined;
    return claim?.owner === process && claim.run !== undefined && claim.run.endedAt === undefined;
  });
  const ofName = running.filter((job) => job.name === name).length;
  if (ofName > concurrency || (limit > 0 && running.length > limit)) {
    ledger.world.violate(`${process.name} runs ${running.length} handlers, ${ofName} of them of ${name}`);
  }
}

async function play(
  process: SimulatedProcess,
  history: History,
  job: StoredJob,
  context: JobContext<unknown>,
): Promise<unknown> {
  const { world } = history;
  const { label, script } = job.data as JobData;
  const count = history.countRun(label);
  const behaviour = world.calm ? AT_ONCE : (script[count] ?? AT_ONCE);
  const ms = Math.round(behaviour.takes * world.lockTimeout);
  if (count % 2 === 1) void context.progress(50);
  switch (behaviour.type) {
    case 'hang':
      await history.calmDown;
      break;
    case 'hang until aborted':
      await Promise.race([history.calmDown, aborted(context.signal)]);
      break;
    case 'block':
      process.freeze(ms);
      await process.pause(0);
      break;
    default:
      if (ms > 0) await process.pause(ms);
  }
  switch (behaviour.type) {
    case 'fail':
      throw new Error('broken');
    case 'fail for good':
      throw new PermanentError('broken for good');
    case 'snooze':
      throw new RetryAfter(Math.round(world.lockTimeout / 4));
    case 'cancel itself':
      throw new CancelRun('not needed');
    default:
      return { label, count };
  }
}

/** Rejects when the run is asked to give up. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
