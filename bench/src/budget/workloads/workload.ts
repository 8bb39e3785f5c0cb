import type { Meter, Tally } from '../meter.js';

/** Something that is done, and whose cost is counted. */
export interface Workload {
  readonly id: string;
  readonly title: string;
  /** What the figures are per. */
  readonly unit: '1,000 jobs' | 'poll';
  measure(meter: Meter): Promise<Measured>;
}

/** What a workload came to. */
export interface Measured {
  readonly tally: Tally;
  /** How many times the unit. */
  readonly units: number;
  /** The same for commands and statements, where a warm-up was left out of them. */
  readonly commandUnits?: number;
}
