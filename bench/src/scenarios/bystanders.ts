import type { Bystanders } from '../contenders/contender.js';
import type { Size } from '../run/lab.js';
import { JOBS_PER_SECOND, PLAIN, type Scenario, WORKER_CPU } from './scenario.js';
import { BACKLOG, throughput } from './throughput.js';
import { workOff } from './work-off.js';

const BYSTANDERS: Size = { quick: 100_000, full: 1_000_000 };

export const finished = beside(
  'finished',
  'A million finished jobs beside it',
  'The backlog of the first scenario in a queue that holds a million finished jobs of the same name.',
);

export const future = beside(
  'future',
  'A million future jobs beside it',
  'The backlog of the first scenario in a queue that holds a million jobs of the same name, due from tomorrow on.',
);

function beside(kind: Bystanders, title: string, explanation: string): Scenario {
  return {
    id: kind,
    title,
    explanation,
    metrics: [JOBS_PER_SECOND, PLAIN, WORKER_CPU],
    rounds: { quick: 0, full: 2 },
    heavy: true,
    plain: throughput,
    async measure(lab) {
      const bystanders = { kind, count: lab.count(BYSTANDERS) };
      const { jobsPerSecond, cpu } = await workOff(lab, { jobs: lab.count(BACKLOG), bystanders });
      return { jobsPerSecond, cpu };
    },
  };
}
