import type { Lab } from '../run/lab.js';

/** A figure of a scenario. */
export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
}

/** Figures by the ids of their metrics; one that a system cannot have is absent. */
export type Figures = Readonly<Record<string, number | undefined>>;

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What is done and what is measured, for people to read. */
  readonly explanation: string;
  /** The first is the one that is compared. */
  readonly metrics: readonly [Metric, ...Metric[]];
  /** Rounds per system; none in a quick run where it takes too long for one. */
  readonly rounds: { readonly quick: number; readonly full: number };
  /** It takes minutes, and holds a system against itself: a shorter run may measure Monque alone. */
  readonly heavy?: true;
  /** The scenario whose figure of the same system this one is held against. */
  readonly comparedWith?: string;
  /** Measures one system once. */
  measure(lab: Lab): Promise<Figures>;
}

/** Jobs at the same time in one process, for every system. */
export const CONCURRENCY = 50;

export const JOBS_PER_SECOND: Metric = {
  id: 'jobsPerSecond',
  title: 'throughput',
  unit: 'jobs/s',
  better: 'higher',
};

export const WORKER_CPU: Metric = {
  id: 'cpu',
  title: 'CPU of the worker',
  unit: '% of a core',
  better: 'lower',
};
