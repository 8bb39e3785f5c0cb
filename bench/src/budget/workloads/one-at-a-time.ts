import { once } from 'node:events';
import { Monque } from '@monque/core';
import { StoredCount } from '../../contenders/stored-count.js';
import type { Workload } from './workload.js';

const COUNT = 100;

/** A waiting worker gets one job, stores its outcome, gets the next: nothing is there to be batched. */
export const oneAtATime: Workload = {
  id: 'one-at-a-time',
  title: 'one job at a time',
  unit: '1,000 jobs',
  async measure(meter) {
    await using monque = new Monque(meter.db, { collectionName: this.id, workerConcurrency: 50 });
    await monque.initialize();
    const stored = new StoredCount();
    monque.on('job:complete', () => stored.add());
    monque.register('job', () => undefined);
    const connected = once(monque, 'changestream:connected');
    monque.start();
    await connected;
    const tally = await meter.count(this.id, async () => {
      for (let count = 1; count <= COUNT; count++) {
        await monque.enqueue('job', { count });
        await stored.reached(count);
      }
      await monque.stop();
    });
    return { tally, units: COUNT / 1_000 };
  },
};
