import { once } from 'node:events';
import { Monque } from '@monque/core';
import { PollCycles } from '../poll-cycles.js';
import type { Workload } from './workload.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 20;
const POLLS = 25;
/** Jobs that wait for later, over all names: a poll has to find the first of them without reading the others. */
const FUTURE_JOBS = 1_000;

/** Polls while nothing is due. */
function idle(id: string, title: string, nameCount: number): Workload {
  return {
    id,
    title,
    unit: 'poll',
    async measure(meter) {
      const names = Array.from({ length: nameCount }, (_, index) => `job-${index}`);
      await using monque = new Monque(meter.db, {
        collectionName: id,
        pollInterval: POLL_MS,
        safetyPollInterval: POLL_MS,
      });
      await monque.initialize();
      const runAt = new Date(Date.now() + HOUR_MS);
      await monque.enqueueMany(
        Array.from({ length: FUTURE_JOBS }, (_, index) => ({
          name: `job-${index % nameCount}`,
          data: { index },
          options: { runAt },
        })),
      );
      for (const name of names) monque.register(name, () => undefined);
      const connected = once(monque, 'changestream:connected');
      monque.start();
      // Whatever a start brings is over by then.
      await connected;
      let polls = 0;
      const tally = await meter.count(id, async () => {
        const cycles = new PollCycles(meter.client, POLL_MS);
        await cycles.reached(POLLS);
        await monque.stop();
        cycles.end();
        polls = cycles.seen;
      });
      return { tally, units: polls };
    },
  };
}

export const idleWorkloads: readonly Workload[] = [
  idle('idle', 'idle, 1 name', 1),
  idle('idle-200-names', 'idle, 200 names', 200),
];
