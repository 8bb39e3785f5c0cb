import { enqueueWorkloads } from './enqueue.js';
import { idleWorkloads } from './idle.js';
import { oneAtATime } from './one-at-a-time.js';
import { processingWorkloads } from './processing.js';
import type { Workload } from './workload.js';

export const WORKLOADS: readonly Workload[] = [
  ...enqueueWorkloads,
  ...processingWorkloads,
  oneAtATime,
  ...idleWorkloads,
];
