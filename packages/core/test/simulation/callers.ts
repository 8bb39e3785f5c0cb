import { enqueue } from '../../src/intake/enqueue.js';
import { enqueueMany } from '../../src/intake/enqueue-many.js';
import { schedule } from '../../src/intake/schedule.js';
import type { StoredJob } from '../../src/store/query-types.js';
import type { JobData } from './handlers.js';
import type { History } from './history.js';
import type { Event, JobPlan } from './plan.js';
import type { SimulatedProcess } from './simulated-process.js';
import { nameOf } from './world.js';

/** Lets a caller do something on a process that is ready, and keeps what it was promised. */
export function call(history: History, process: SimulatedProcess, event: Event): void {
  const { world } = history;
  const open = { process };
  history.openCalls.add(open);
  perform(history, process, event)
    .then(
      (what) => world.say(process.name, () => `${event.type} has been answered${what}`),
      (error: unknown) => {
        world.say(process.name, () => `${event.type} has failed: ${String(error)}`);
        history.expectError(error);
      },
    )
    .finally(() => history.openCalls.delete(open));
}

/** Resolves with what there is to say about it. */
async function perform(history: History, { runtime }: SimulatedProcess, event: Event): Promise<string> {
  const { lockTimeout, now } = history.world;
  switch (event.type) {
    case 'enqueue': {
      const { name, data, options } = itemOf(history, event.job);
      return acknowledge(history, [await enqueue(runtime, name, data, options)]);
    }
    case 'enqueueMany': {
      const items = event.jobs.map((job) => itemOf(history, job));
      return acknowledge(history, await enqueueMany(runtime, items));
    }
    case 'schedule': {
      const { name, data, options } = itemOf(history, event.job);
      const { uniqueKey, maxRetries, timeout } = options;
      const cron = event.minutes === 1 ? '* * * * *' : `*/${event.minutes} * * * *`;
      const own = {
        ...(uniqueKey !== undefined && { uniqueKey }),
        ...(timeout !== undefined && { timeout }),
      };
      return acknowledge(history, [await schedule(runtime, cron, name, data, { ...own, maxRetries })]);
    }
    case 'cancel':
      await runtime.actions.cancel(targetOf(history, event), { running: event.running });
      break;
    case 'retry':
      await runtime.actions.retry(targetOf(history, event));
      break;
    case 'delete':
      await runtime.actions.delete(targetOf(history, event));
      break;
    case 'release':
      await runtime.actions.release(targetOf(history, event));
      break;
    case 'reschedule': {
      const runAt = new Date(Math.floor(now) + Math.round(event.delay * lockTimeout));
      await runtime.actions.reschedule(targetOf(history, event), runAt);
      break;
    }
    case 'cancelAll':
      await runtime.bulk.cancel({ name: event.name });
      break;
    case 'retryAll':
      await runtime.bulk.retry({ name: event.name });
      break;
    case 'deleteAll':
      await runtime.bulk.delete({ name: event.name });
      break;
    case 'drain':
      await runtime.lifecycle.drain();
  }
  return '';
}

function itemOf(history: History, plan: JobPlan) {
  const { lockTimeout } = history.world;
  const { name, uniqueKey, onDuplicate, priority, delay, hold, timeout, maxRetries, script } = plan;
  const data: JobData = { label: history.nextLabel(), script };
  const options = {
    onDuplicate,
    priority,
    hold,
    maxRetries,
    delay: Math.round(delay * lockTimeout),
    ...(uniqueKey !== undefined && { uniqueKey }),
    ...(timeout > 0 && { timeout: Math.round(timeout * lockTimeout) }),
  };
  return { name, data, options };
}

function acknowledge({ acknowledged, ledger, world }: History, jobs: readonly StoredJob<string>[]): string {
  for (const { _id } of jobs) {
    if (!ledger.jobs.has(_id) && !ledger.removed.has(_id)) world.violate(`${nameOf(_id)} was never stored`);
    acknowledged.add(_id);
  }
  return `: ${jobs.map(({ _id }) => nameOf(_id)).join(', ')}`;
}

/** One of the jobs that callers know of; where there is none, an id that no job has. */
function targetOf({ acknowledged }: History, { target }: { readonly target: number }): string {
  return [...acknowledged][target % Math.max(1, acknowledged.size)] ?? '0'.repeat(24);
}
