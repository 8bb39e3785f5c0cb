import { RunAbortedError, ShutdownTimeoutError } from '../errors/operation-errors.js';
import type { Dispatcher } from './dispatch/dispatcher.js';
import type { Drain } from './dispatch/drain.js';
import type { Slots } from './dispatch/slots.js';
import type { WakeUps } from './dispatch/wake-ups.js';
import type { EngineParts } from './engine-types.js';
import type { Run } from './execute/run.js';
import type { FollowUp } from './follow-up/follow-up.js';
import type { Sweeper } from './follow-up/sweeper.js';
import type { Leases } from './lease/leases.js';
import type { TemplateLoop } from './recurring/template-loop.js';
import type { Settler } from './settle/settler.js';

/** What has to come to rest. */
export interface Stoppable {
  readonly dispatcher: Dispatcher;
  readonly drains: Iterable<Drain>;
  readonly wakeUps: WakeUps;
  readonly leases: Leases;
  readonly templates: TemplateLoop;
  readonly slots: Slots;
  readonly settler: Settler;
  readonly followUp: FollowUp;
  readonly sweeper: Sweeper;
  giveBack(runs: Run[]): void;
  /** Resolves when everything given back is stored. */
  returned(): Promise<void>;
}

/** How long handlers that heed their signal get to give up, in milliseconds, after the time is up. */
const GRACE_MS = 100;

/**
 * Brings the engine to rest: no new claims, unstarted ones go back, handlers end, outcomes are stored.
 * When the time is up it asks the handlers to give up, says which jobs are left, and resolves all the same:
 * their leases run out, and another process takes them. Handlers that an earlier call has given up on are not waited
 * for again.
 */
export async function shutDown(parts: EngineParts, engine: Stoppable): Promise<void> {
  engine.leases.stopSweeping();
  const left = [...engine.slots.running];
  const isGivenUp = left.length > 0 && left.every((run) => run.interrupted);
  const atRest = comeToRest(engine);
  const inTime = await within(parts, atRest, isGivenUp ? GRACE_MS : parts.options.shutdownTimeout);
  if (!inTime && !isGivenUp) {
    const runs = [...engine.slots.running];
    const jobs = runs.map((run) => run.job);
    const error = new ShutdownTimeoutError(
      `Shutdown took longer than ${parts.options.shutdownTimeout} ms with ${jobs.length} job(s) still running. ` +
        'Raise shutdownTimeout, or let the handlers heed their signal',
      jobs,
    );
    parts.emit('job:error', { error });
    for (const run of runs) run.interrupt(new RunAbortedError('The process is shutting down', 'shutdown'));
    // The caller may end the process as soon as this resolves: what gives up now is given back before that.
    await within(parts, atRest, GRACE_MS);
  }
  engine.leases.stopWhenFree();
}

async function comeToRest({
  dispatcher,
  drains,
  wakeUps,
  templates,
  slots,
  settler,
  followUp,
  sweeper,
  giveBack,
  returned,
}: Stoppable): Promise<void> {
  const streamClosed = wakeUps.stop();
  const drained = Promise.all(Array.from(drains, (drain) => drain.stop()));
  const templatesFired = templates.stop();
  const swept = sweeper.stop();
  // Before the loop has ended a late claim may still arrive; it is given back there.
  giveBack(slots.clearWaiting());
  await dispatcher.stop();
  await drained;
  await slots.whenIdle();
  await settler.flush();
  await returned();
  await followUp.whenDone();
  await swept;
  await streamClosed;
  await templatesFired;
}

/** Whether the work was done within this many milliseconds. */
function within({ host }: EngineParts, work: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = host.after(ms, () => resolve(false), true);
    work.then(() => resolve(true), reject).finally(() => timer.cancel());
  });
}
