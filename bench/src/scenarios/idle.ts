import { CONCURRENCY, type Scenario } from './scenario.js';

/** Until what a start leaves behind, such as code to compile and memory to tidy up, is done. */
const SETTLE_MS = 10_000;
const WATCH_MS = 20_000;

export const idle: Scenario = {
  id: 'idle',
  title: 'Idle',
  explanation:
    'A started worker with an empty queue, watched for 20 seconds from the tenth on. Commands to MongoDB, Redis and MariaDB, transactions on PostgreSQL.',
  metrics: [
    { id: 'commands', title: 'commands', unit: 'per second', better: 'lower' },
    { id: 'cpu', title: 'CPU', unit: '% of a core', better: 'lower' },
  ],
  rounds: { quick: 0, full: 1 },
  heavy: true,
  async measure(lab) {
    const names = ['job'];
    await (await lab.sender(names)).call('rss');
    const worker = await lab.worker({ counting: true });
    await worker.call('work', { names, concurrency: CONCURRENCY, tuning: 'latency', expected: 0 });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const { commandsPerSecond, cpu } = await worker.call('idle', WATCH_MS);
    return { ...(commandsPerSecond === undefined ? {} : { commands: commandsPerSecond }), cpu: 100 * cpu };
  },
};
