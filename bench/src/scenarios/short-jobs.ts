import type { Size } from '../run/lab.js';
import { JOBS_PER_SECOND, type Scenario, WORKER_CPU } from './scenario.js';
import { workOff } from './work-off.js';

const JOBS: Size = { quick: { slow: 1_500, fast: 20_000 }, full: { slow: 2_000, fast: 40_000 } };

export const shortJobs: Scenario = {
  id: 'short-jobs',
  title: 'Throughput of jobs that take 5 ms',
  explanation:
    'One process works off a backlog of jobs that wait for 5 ms each, at concurrency 50. Timers alone allow 10,000 a second.',
  metrics: [JOBS_PER_SECOND, WORKER_CPU],
  rounds: { quick: 0, full: 2 },
  async measure(lab) {
    const { jobsPerSecond, cpu } = await workOff(lab, { jobs: lab.count(JOBS), ms: 5 });
    return { jobsPerSecond, cpu };
  },
};
