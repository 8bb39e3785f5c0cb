import type { Emit } from '../../src/engine/emit.js';
import type { MonqueEventMap } from '../../src/events.js';
import type { History } from './history.js';
import type { Settlement } from './ledger.js';
import type { SimulatedProcess } from './simulated-process.js';
import { nameOf } from './world.js';

type EventName = keyof MonqueEventMap<unknown>;

/** The events that tell of an outcome, and the outcomes that they tell of. */
const TOLD_BY: Partial<Record<EventName, readonly Settlement['type'][]>> = {
  'job:complete': ['completed', 'repeat'],
  'job:fail': ['retry', 'failed'],
  'job:cancelled': ['cancelled'],
  'job:snoozed': ['snoozed'],
};

/** Hears every event of a process: each that tells of an outcome must come after it is stored, and once. */
export function listener(process: SimulatedProcess, history: History): Emit {
  return (event, ...[payload]) => {
    const { world } = history;
    if (event === 'job:error') {
      const { error } = payload as MonqueEventMap<unknown>['job:error'][0];
      if (error.name === 'ShutdownTimeoutError') process.ranOutOfTime = true;
      world.say(process.name, () => `job:error ${error.message}`);
      history.expectError(error);
      return;
    }
    const types = TOLD_BY[event];
    if (types === undefined) return;
    const { job } = payload as { job: { _id: string } };
    world.say(process.name, () => `${event} ${nameOf(job._id)}`);
    if (!announce(process, history, job._id, types)) {
      world.violate(`${process.name} told ${event} of ${nameOf(job._id)}, and no such outcome is stored`);
    }
  };
}

function announce(
  process: SimulatedProcess,
  { ledger }: History,
  id: string,
  types: readonly Settlement['type'][],
): boolean {
  const settlement = ledger.settlements.find(
    (one) =>
      one.claim.owner === process &&
      one.answerId === id &&
      types.includes(one.type) &&
      one.told === 'applied' &&
      !one.announced,
  );
  if (settlement !== undefined) {
    settlement.announced = true;
    return true;
  }
  const key = `${process.name} ${id}`;
  const cancelled = types.includes('cancelled') ? (ledger.cancellations.get(key) ?? 0) : 0;
  ledger.cancellations.set(key, cancelled - 1);
  return cancelled > 0;
}
