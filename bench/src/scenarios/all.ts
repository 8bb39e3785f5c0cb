import { finished, future } from './bystanders.js';
import { enqueue } from './enqueue.js';
import { idle } from './idle.js';
import { latency, latencyUnderLoad } from './latency.js';
import { manyNames } from './many-names.js';
import { memory } from './memory.js';
import type { Scenario } from './scenario.js';
import { shortJobs } from './short-jobs.js';
import { sustained } from './sustained.js';
import { throughput } from './throughput.js';
import { twoProcesses } from './two-processes.js';

/** In the order in which they are run and shown. Two processes are held against one, and so come right after it. */
export const SCENARIOS: readonly Scenario[] = [
  throughput,
  twoProcesses,
  manyNames,
  finished,
  future,
  enqueue,
  shortJobs,
  latency,
  latencyUnderLoad,
  sustained,
  idle,
  memory,
];
