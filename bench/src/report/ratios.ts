import { type Spread, spreadOf } from '../measure/statistics.js';
import type { BenchResults } from '../run/results.js';

/** A figure of one system in one scenario. */
export interface Figure {
  readonly scenario: string;
  readonly contender: string;
  /** The scenario's first one where absent. */
  readonly metric?: string;
}

type Results = Pick<BenchResults, 'scenarios'>;

/** A figure over its rounds, or undefined where there is none. */
export function spreadOfFigure(results: Results, figure: Figure): Spread | undefined {
  return spreadOfKnown(roundsOf(results, figure));
}

/**
 * One figure to another, over the rounds that have both. Each ratio is taken within a round: a machine that is slower for
 * half an hour is slower for both sides of it then, while medians of each side could come from different half hours.
 */
export function spreadOfRatio(results: Results, one: Figure, other: Figure): Spread | undefined {
  const others = roundsOf(results, other);
  return spreadOfKnown(
    roundsOf(results, one).map((value, round) => {
      const base = others[round];
      return value === undefined || base === undefined || base === 0 ? undefined : value / base;
    }),
  );
}

/** The figure in each round, in the order of the rounds. */
function roundsOf({ scenarios }: Results, { scenario, contender, metric }: Figure): (number | undefined)[] {
  const found = scenarios.find(({ id }) => id === scenario);
  const id = metric ?? found?.metrics[0]?.id ?? '';
  const result = found?.results.find((one) => one.contender === contender);
  return result?.rounds.map((figures) => figures[id]) ?? [];
}

function spreadOfKnown(values: readonly (number | undefined)[]): Spread | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : spreadOf(known);
}
