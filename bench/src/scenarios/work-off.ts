import type { WorkReport } from '../child/commands.js';
import type { Bystanders } from '../contenders/contender.js';
import type { Lab } from '../run/lab.js';
import { CONCURRENCY } from './scenario.js';

export interface Backlog {
  readonly jobs: number;
  readonly names?: readonly string[];
  /** Milliseconds that each job takes; absent for jobs that do nothing. */
  readonly ms?: number;
  readonly processes?: number;
  readonly bystanders?: { readonly kind: Bystanders; readonly count: number };
}

export interface WorkedOff {
  readonly jobsPerSecond: number;
  /** CPU of all workers, in per cent of one core. */
  readonly cpu: number;
  readonly reports: readonly WorkReport[];
}

/**
 * Enqueues jobs, then works them off. The clock runs from the start of the first worker until the last outcome is
 * stored; connections, queue and indexes exist before.
 */
export async function workOff(lab: Lab, backlog: Backlog): Promise<WorkedOff> {
  const { jobs, names = ['job'], ms, processes = 1, bystanders } = backlog;
  const sender = await lab.sender(names);
  if (bystanders !== undefined) await sender.call('fill', bystanders.kind, bystanders.count, names[0] ?? '');
  const request = { count: jobs, names, ...(ms === undefined ? {} : { ms }) };
  const bulk = await sender.call('enqueue', { ...request, mode: 'bulk' });
  if (bulk === undefined) await sender.call('enqueue', { ...request, mode: 'in flight' });

  const counting = processes > 1;
  const workers = await Promise.all(Array.from({ length: processes }, () => lab.worker({ counting })));
  const work = { names, concurrency: CONCURRENCY, tuning: 'throughput', expected: jobs } as const;
  await Promise.all(workers.map((worker) => worker.call('work', work)));
  const reports = await lab.finish(workers, jobs);
  const elapsed =
    Math.max(...reports.map(({ storedAt }) => storedAt)) -
    Math.min(...reports.map(({ startedAt }) => startedAt));
  return {
    jobsPerSecond: (jobs * 1000) / elapsed,
    cpu: 100 * reports.reduce((sum, { cpu }) => sum + cpu, 0),
    reports,
  };
}
