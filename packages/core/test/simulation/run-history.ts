import { call } from './callers.js';
import { comeToRest } from './come-to-rest.js';
import { History, type Machine, type PlantedBug } from './history.js';
import type { Plan, Step } from './plan.js';

/** Plays a plan; answers which promise it saw broken, if any. */
export async function runHistory(
  plan: Plan,
  options: { readonly bug?: PlantedBug | undefined; readonly trace?: string[] } = {},
): Promise<string | undefined> {
  const history = new History(plan, options.bug, options.trace);
  const { world } = history;
  for (const { process } of history.machines) void process.boot();
  for (const step of plan.steps) {
    await world.timeline.until(() => world.violation !== undefined, step.wait * world.lockTimeout);
    if (world.violation !== undefined) return world.violation;
    happen(history, step);
  }
  await comeToRest(history);
  return world.violation;
}

function happen(history: History, { machine: index, event }: Step): void {
  const { world, machines } = history;
  const machine = machines[index % machines.length] as Machine;
  const { process } = machine;
  world.say(process.name, () => `--- ${JSON.stringify(event)}`);
  switch (event.type) {
    case 'kill':
      process.kill(event.steps);
      break;
    case 'start':
      if (!process.isAlive) history.restart(machine);
      else if (process.isReady) process.start();
      break;
    case 'stop':
      if (process.isReady && process.isAlive) void process.stop();
      break;
    case 'freeze':
      process.freeze(event.parts * world.lockTimeout);
      break;
    case 'set clock':
      machine.skew = event.skew;
      process.host.skew = event.skew;
      break;
    case 'break stream':
      process.connection.breakStreams();
      break;
    case 'outage':
      world.network.breakDown(event.parts * world.lockTimeout, event.hanging);
      break;
    default: {
      const ready = [process, ...history.alive].find((one) => one.isReady && one.isAlive);
      if (ready !== undefined) call(history, ready, event);
    }
  }
}
