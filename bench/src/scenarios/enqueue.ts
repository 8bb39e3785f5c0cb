import type { EnqueueMode } from '../child/commands.js';
import type { Lab, Size } from '../run/lab.js';
import type { Scenario } from './scenario.js';

const ONE_BY_ONE: Size = { quick: 300, full: 3_000 };
const IN_FLIGHT: Size = { quick: { slow: 1_500, fast: 8_000 }, full: { slow: 10_000, fast: 50_000 } };
const BULK: Size = { quick: 20_000, full: 200_000 };

export const enqueue: Scenario = {
  id: 'enqueue',
  title: 'Enqueue',
  explanation:
    'One process hands jobs in: each call awaited before the next, 50 calls in flight, and calls with 1,000 jobs each. ' +
    'No worker runs.',
  metrics: [
    { id: 'inFlight', title: '50 in flight', unit: 'jobs/s', better: 'higher' },
    { id: 'oneByOne', title: 'one by one', unit: 'jobs/s', better: 'higher' },
    { id: 'bulk', title: 'in bulk', unit: 'jobs/s', better: 'higher' },
  ],
  rounds: { quick: 2, full: 2 },
  async measure(lab) {
    return {
      oneByOne: await rate(lab, 'one by one', ONE_BY_ONE),
      inFlight: await rate(lab, 'in flight', IN_FLIGHT),
      bulk: await rate(lab, 'bulk', BULK),
    };
  },
};

/** In a process of its own each, so that none finds another's code warm. */
async function rate(lab: Lab, mode: EnqueueMode, size: Size): Promise<number | undefined> {
  const names = ['job'];
  const sender = await lab.sender(names);
  const count = lab.count(size);
  const ms = await sender.call('enqueue', { mode, count, names });
  return ms === undefined ? undefined : (count * 1000) / ms;
}
