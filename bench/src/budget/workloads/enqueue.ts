import { Monque } from '@monque/core';
import type { Workload } from './workload.js';

type Enqueue = (monque: Monque, count: number) => Promise<void>;

/** @param count - How many jobs are enqueued. */
function enqueuing(id: string, title: string, count: number, enqueue: Enqueue): Workload {
  return {
    id,
    title,
    unit: '1,000 jobs',
    async measure(meter) {
      await using monque = new Monque(meter.db, { collectionName: id });
      await monque.initialize();
      const tally = await meter.count(id, () => enqueue(monque, count));
      return { tally, units: count / 1_000 };
    },
  };
}

async function oneByOne(monque: Monque, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await monque.enqueue('job', { index });
}

/** So many callers at the same time, each of which goes on when its job is stored. */
function inFlight(callers: number): Enqueue {
  return async (monque, count) => {
    await Promise.all(Array.from({ length: callers }, () => oneByOne(monque, count / callers)));
  };
}

async function atOnce(monque: Monque, count: number): Promise<void> {
  await monque.enqueueMany(Array.from({ length: count }, (_, index) => ({ name: 'job', data: { index } })));
}

export const enqueueWorkloads: readonly Workload[] = [
  enqueuing('enqueue-single', 'enqueue, one by one', 100, oneByOne),
  enqueuing('enqueue-in-flight', 'enqueue, 50 in flight', 2_000, inFlight(50)),
  enqueuing('enqueue-many', 'enqueueMany of 1,000', 1_000, atOnce),
];
