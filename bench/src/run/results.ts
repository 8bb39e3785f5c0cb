import type { Spread } from '../measure/statistics.js';
import type { Figures, Metric } from '../scenarios/scenario.js';

/** One system in one scenario. */
export interface ContenderResult {
  readonly contender: string;
  /** The figures of each round, oldest first. */
  readonly rounds: readonly Figures[];
  /** Over all rounds, by the ids of the metrics. */
  readonly spread: Readonly<Record<string, Spread>>;
  /** Why there are none, or fewer than there should be. */
  readonly remark?: string;
  /** Whether a round went wrong. */
  readonly failed?: true;
}

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly explanation: string;
  readonly metrics: readonly Metric[];
  readonly comparedWith?: string;
  readonly results: readonly ContenderResult[];
}

interface ContenderInfo {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly settings: readonly string[];
  /** Present where its server is missing. */
  readonly missing?: string;
}

/** All that a run has found, as it is written to results.json. */
export interface BenchResults {
  readonly madeAt: string;
  /** A trial has too few jobs for its figures to mean anything. */
  readonly kind: 'full' | 'quick' | 'partial' | 'trial';
  /** What a full run would have had beyond this one. */
  readonly leftOut: readonly string[];
  readonly minutes: number;
  readonly machine: Readonly<Record<string, string>>;
  readonly servers: readonly string[];
  readonly contenders: readonly ContenderInfo[];
  readonly scenarios: readonly ScenarioResult[];
}
