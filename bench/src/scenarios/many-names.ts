import { JOBS_PER_SECOND, PLAIN, type Scenario, WORKER_CPU } from './scenario.js';
import { BACKLOG, throughput } from './throughput.js';
import { workOff } from './work-off.js';

const NAMES = Array.from({ length: 200 }, (_, index) => `job-${index}`);

export const manyNames: Scenario = {
  id: 'many-names',
  title: '200 names',
  explanation:
    'The backlog of the first scenario, in turn under 200 names that one process handles. ' +
    'For BullMQ these are job names of one queue, for pg-boss queues, for the others names or tasks.',
  metrics: [JOBS_PER_SECOND, PLAIN, WORKER_CPU],
  rounds: { quick: 0, full: 2 },
  heavy: true,
  plain: throughput,
  async measure(lab) {
    const { jobsPerSecond, cpu } = await workOff(lab, { jobs: lab.count(BACKLOG), names: NAMES });
    return { jobsPerSecond, cpu };
  },
};
