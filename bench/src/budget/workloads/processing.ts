import { Monque } from '@monque/core';
import { StoredCount } from '../../contenders/stored-count.js';
import type { Workload } from './workload.js';

const HOUR_MS = 3_600_000;
/** Jobs of each kind that lie beside the backlog: an index that does not tell them apart has to read them. */
const BYSTANDERS = 1_000;

/**
 * Jobs before commands are counted. How much to fetch ahead has to be learnt, so the first claims are small, and the
 * faster the machine, the more of them.
 */
const WARM_UP = 3_000;

/**
 * Works off a backlog.
 *
 * @param result - What the handler returns.
 */
function processing(id: string, title: string, count: number, result: unknown): Workload {
  return {
    id,
    title,
    unit: '1,000 jobs',
    async measure(meter) {
      await using monque = new Monque(meter.db, { collectionName: id, workerConcurrency: 50 });
      await monque.initialize();
      const now = Date.now();
      await enqueueAt(monque, 'unattended', new Date(now - HOUR_MS), BYSTANDERS);
      await enqueueAt(monque, 'job', new Date(now + HOUR_MS), BYSTANDERS);
      await enqueueAt(monque, 'job', new Date(now), WARM_UP + count);
      const stored = new StoredCount();
      monque.on('job:complete', () => stored.add());
      monque.register('job', () => result);
      const tally = await meter.count(id, async (warmedUp) => {
        monque.start();
        await stored.reached(WARM_UP);
        warmedUp();
        await stored.reached(WARM_UP + count);
        await monque.stop();
      });
      return { tally, units: (WARM_UP + count) / 1_000, commandUnits: count / 1_000 };
    },
  };
}

async function enqueueAt(monque: Monque, name: string, runAt: Date, count: number): Promise<void> {
  await monque.enqueueMany(
    Array.from({ length: count }, (_, index) => ({ name, data: { index }, options: { runAt } })),
  );
}

export const processingWorkloads: readonly Workload[] = [
  processing('processing', 'no-op jobs', 5_000, undefined),
  processing('processing-results', 'jobs with results', 3_000, { done: true }),
];
