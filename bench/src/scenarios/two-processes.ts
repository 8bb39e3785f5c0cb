import { JOBS_PER_SECOND, type Scenario, WORKER_CPU } from './scenario.js';
import { BACKLOG } from './throughput.js';
import { workOff } from './work-off.js';

export const twoProcesses: Scenario = {
  id: 'two-processes',
  title: 'Two processes share the queue',
  explanation:
    'The same backlog, worked off by two processes at concurrency 50 each. Every job is checked to run once. ' +
    'Lost claims are jobs that a process saw as free and another was faster to take; counted for Monque.',
  metrics: [
    JOBS_PER_SECOND,
    { id: 'lostClaims', title: 'lost claims', unit: '%', better: 'lower' },
    { id: 'smallerShare', title: 'smaller share of the jobs', unit: '%', better: 'higher' },
    WORKER_CPU,
  ],
  rounds: { quick: 2, full: 2 },
  async measure(lab) {
    const jobs = lab.count(BACKLOG);
    const { jobsPerSecond, cpu, reports } = await workOff(lab, { jobs, processes: 2 });
    const asked = reports.reduce((sum, { claims }) => sum + (claims?.asked ?? 0), 0);
    const lost = reports.reduce((sum, { claims }) => sum + (claims?.lost ?? 0), 0);
    const smallest = Math.min(...reports.map(({ handled }) => handled));
    return {
      jobsPerSecond,
      cpu,
      smallerShare: (100 * smallest) / jobs,
      // No claim was recognised: then nothing is known, which is not the same as none lost.
      lostClaims: asked === 0 ? undefined : (100 * lost) / asked,
    };
  },
};
