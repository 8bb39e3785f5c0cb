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
  /**
   * The plain form of this one, which it is held against, system by system. It is measured right beside it in each round, since a machine changes
   * by a fifth within minutes; its first figure becomes this one's `plain`.
   */
  readonly plain?: Scenario;
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

/** The throughput without whatever makes the scenario harder. */
export const PLAIN: Metric = {
  id: 'plain',
  title: 'plain throughput beside it',
  unit: 'jobs/s',
  better: 'higher',
};

export const WORKER_CPU: Metric = {
  id: 'cpu',
  title: 'CPU of the worker',
  unit: '% of a core',
  better: 'lower',
};
