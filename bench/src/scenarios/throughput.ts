import type { Size } from '../run/lab.js';
import { JOBS_PER_SECOND, type Scenario, WORKER_CPU } from './scenario.js';
import { workOff } from './work-off.js';

/** Agenda slows down with the number of jobs, so fewer show it at its best. */
export const BACKLOG: Size = { quick: { slow: 1_000, fast: 20_000 }, full: { slow: 2_000, fast: 100_000 } };

export const throughput: Scenario = {
  id: 'throughput',
  title: 'Throughput of jobs that do nothing',
  explanation:
    'One process works off a backlog at concurrency 50, from its start until the last outcome is stored. ' +
    '100,000 jobs, so that what a process needs to get going does not decide; 2,000 for Agenda, which is slower with more.',
  metrics: [JOBS_PER_SECOND, WORKER_CPU],
  rounds: { quick: 2, full: 3 },
  async measure(lab) {
    const { jobsPerSecond, cpu } = await workOff(lab, { jobs: lab.count(BACKLOG) });
    return { jobsPerSecond, cpu };
  },
};
