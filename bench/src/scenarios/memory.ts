import type { Size } from '../run/lab.js';
import { CONCURRENCY, type Scenario } from './scenario.js';

const DUE: Size = { quick: 10_000, full: { slow: 10_000, fast: 100_000 } };
const MEGABYTE = 1024 * 1024;
/** Long jobs, so that nearly all of the backlog is still due at the end. */
const JOB_MS = 500;
const WATCH_MS = 8_000;

export const memory: Scenario = {
  id: 'memory',
  title: 'Memory with 100,000 due jobs',
  explanation:
    'The most memory that is resident in a worker that faces 100,000 due jobs of 500 ms each for 8 seconds, ' +
    'and how much that is above the same process before it started. Agenda faces 10,000.',
  metrics: [
    { id: 'growth', title: 'growth', unit: 'MB', better: 'lower' },
    { id: 'peak', title: 'most', unit: 'MB', better: 'lower' },
  ],
  rounds: { quick: 0, full: 1 },
  heavy: true,
  async measure(lab) {
    const names = ['job'];
    const sender = await lab.sender(names);
    const due = { count: lab.count(DUE), names, ms: JOB_MS };
    const bulk = await sender.call('enqueue', { ...due, mode: 'bulk' });
    if (bulk === undefined) await sender.call('enqueue', { ...due, mode: 'in flight' });
    const worker = await lab.worker();
    const before = await worker.call('rss');
    await worker.call('work', { names, concurrency: CONCURRENCY, tuning: 'throughput', expected: due.count });
    let peak = before;
    for (const end = performance.now() + WATCH_MS; performance.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      peak = Math.max(peak, await worker.call('rss'));
    }
    return { peak: peak / MEGABYTE, growth: (peak - before) / MEGABYTE };
  },
};
