import type { History } from './history.js';
import { isFinal, isSame, type Stored } from './ledger.js';
import { NAMES, type SimulatedProcess } from './simulated-process.js';
import { nameOf } from './world.js';

/** Longest time that anything is planned for beyond the time of faults, in parts of `lockTimeout`. */
const LONGEST_REST = 30;
/** A schedule needs its next occurrence to show that it is alive, in milliseconds. */
const SCHEDULE_MS = 600_000;

/** Longer than the engine ever waits before it tries again, in milliseconds. */
const LONGEST_PAUSE_MS = 6_000;

/** Ends the time of faults, lets healthy processes finish everything, and looks at what is left. */
export async function comeToRest(history: History): Promise<void> {
  const { world, ledger } = history;
  world.say('---', () => 'calm');
  world.calm = true;
  world.network.heal();
  history.calm();
  for (const process of history.alive) if (process.host.isDoomed) process.kill(0);
  ensureWorker(history);
  const before = new Map(ledger.advances);
  const hasAdvanced = ({ _id }: Stored) => (ledger.advances.get(_id) ?? 0) > (before.get(_id) ?? 0);
  await reach(history, 'finish', (job) => isFinal(job) || (isSeries(job) && hasAdvanced(job)));
  await endSeries(history);
  await reach(history, 'end their series', isFinal);
  await checkIdle(history);
  await checkStop(history);
  await checkStore(history);
  checkEvents(history);
}

/** Somebody has to do the work. */
function ensureWorker(history: History): void {
  const isWorking = ({ isAlive, isReady, runtime }: SimulatedProcess) =>
    isAlive && (!isReady || runtime.engine.running);
  if (history.machines.some(({ process }) => isWorking(process))) return;
  const [machine] = history.machines;
  if (machine?.process.isAlive) machine.process.start();
  else if (machine !== undefined) history.restart(machine);
}

/** Lets time pass until every job is where it should be, and nothing of the time of faults is under way. */
async function reach(history: History, what: string, isThere: (job: Stored) => boolean): Promise<void> {
  const { world, ledger } = history;
  const end = world.now + LONGEST_REST * world.lockTimeout + SCHEDULE_MS;
  const isReached = () =>
    world.violation !== undefined || (isQuiet(history) && isEvery(ledger.jobs.values(), isThere));
  while (!(await world.timeline.until(isReached, world.lockTimeout))) {
    releaseHeld(history);
    if (world.now < end) continue;
    const left = [...ledger.jobs.values()].filter((job) => !isThere(job));
    const names = left.map((job) => `${nameOf(job._id)} (${job.status})`).join(', ');
    world.violate(`healthy processes do not ${what}: ${names || 'calls are left'}`);
    return;
  }
}

function isEvery(jobs: Iterable<Stored>, isThere: (job: Stored) => boolean): boolean {
  for (const job of jobs) if (!isThere(job)) return false;
  return true;
}

/** Whether all that was slow has come through. */
function isQuiet({ world, machines, openCalls }: History): boolean {
  const since = world.now - LONGEST_PAUSE_MS;
  if (since < world.network.outage.until) return false;
  for (const { process } of machines) {
    if (process.isAlive && (!process.isReady || process.troubledUntil > since)) return false;
  }
  for (const { process } of openCalls) if (process.isAlive) return false;
  return true;
}

/** What callers hold back is let go, so that it can be seen to run. */
function releaseHeld(history: History): void {
  const process = history.alive.find(({ isReady }) => isReady);
  for (const { _id, status } of history.ledger.jobs.values()) {
    if (status === 'created') void process?.runtime.actions.release(_id).catch(history.expectError);
  }
}

async function endSeries(history: History): Promise<void> {
  const process = history.alive.find(({ isReady }) => isReady);
  for (const job of history.ledger.jobs.values()) {
    if (isSeries(job) && !isFinal(job)) {
      void process?.runtime.actions.cancel(job._id, { running: true }).catch(history.expectError);
    }
  }
}

function isSeries({ repeatInterval }: Stored): boolean {
  return repeatInterval !== undefined;
}

/** At the latest with its next heartbeat a process knows what it lost, and runs nothing any more. */
async function checkIdle({ world, alive }: History): Promise<void> {
  const isBusy = ({ runtime }: SimulatedProcess) => NAMES.some((job) => runtime.engine.activeCount(job) > 0);
  const isReached = () => world.violation !== undefined || !alive.some(isBusy);
  if (await world.timeline.until(isReached, world.heartbeat + 100)) return;
  world.violate(`${alive.find(isBusy)?.name} counts handlers that run, and every job is done`);
}

/** A process that stops leaves neither a timer nor a call behind: so it holds no run, and no outcome. */
async function checkStop({ world, alive }: History): Promise<void> {
  if (world.violation !== undefined) return;
  const stopping = new Set(alive);
  for (const process of alive) void process.stop().then(() => stopping.delete(process));
  await world.timeline.until(() => stopping.size === 0, 1_000);
  for (const { name } of stopping) world.violate(`${name} does not stop, and has nothing to do`);
  await world.timeline.until(() => false, 100);
  for (const { name, host, connection } of alive) {
    if (host.timers > 0) world.violate(`${name} has stopped, and ${host.timers} timer(s) are set`);
    if (connection.inFlight > 0) world.violate(`${name} has stopped, and calls the store`);
  }
}

/** Every acknowledged job is there, and nothing was written that nobody noticed. */
async function checkStore({ world, ledger, store, acknowledged }: History): Promise<void> {
  for (const id of acknowledged) {
    if (!ledger.jobs.has(id) && !ledger.removed.has(id)) world.violate(`${nameOf(id)} is lost`);
  }
  const stored = await store.page({ filter: {}, by: 'id', direction: 'asc', limit: 10_000 });
  if (stored.length !== ledger.jobs.size)
    world.violate(`${stored.length} jobs are stored, not ${ledger.jobs.size}`);
  for (const job of stored) {
    if (!isSame(job, ledger.jobs.get(job._id)))
      world.violate(`${nameOf(job._id)} was changed behind all backs`);
  }
}

/** Every outcome that a living process stored was told, once. */
function checkEvents({ world, ledger }: History): void {
  for (const { claim, type, told, announced } of ledger.settlements) {
    if (!claim.owner.isAlive || told === 'too late' || announced) continue;
    world.violate(`${claim.owner.name} stored ${type} of ${nameOf(claim.id)} and never told`);
  }
}
