import { type BenchResults, type ContenderResult, medianOf, type ScenarioResult } from '../run/results.js';
import type { Metric } from '../scenarios/scenario.js';
import { formatRatio, formatSpread } from './format.js';

/** The system that the others are held against: Monque on MongoDB. Its other stores have ids that begin with it. */
export const OURS = 'monque';

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * A scenario as a table: a row for each system, a column for each metric, how Monque stands to it, and where the scenario
 * is a harder form of another, how the system stands to itself.
 */
export function scenarioTable(results: BenchResults, scenario: ScenarioResult): Table {
  const [main] = scenario.metrics;
  const { comparedWith } = scenario;
  const head = [
    'system',
    ...scenario.metrics.map(({ title, unit }) => (unit === '' ? title : `${title}, ${unit}`)),
    `Monque (MongoDB) to it${scenario.metrics.length > 1 && main !== undefined ? ` (${main.title})` : ''}`,
    ...(comparedWith === undefined ? [] : [`itself to ${comparedWith}`]),
  ];
  const rows = scenario.results.map((result) => [
    results.contenders.find(({ id }) => id === result.contender)?.title ?? result.contender,
    ...scenario.metrics.map((metric) => cell(result, metric)),
    ratioText(medianOf(results, scenario.id, OURS), medianOf(results, scenario.id, result.contender)),
    ...(comparedWith === undefined
      ? []
      : [
          ratioText(
            medianOf(results, scenario.id, result.contender),
            medianOf(results, comparedWith, result.contender),
          ),
        ]),
  ]);
  return { head, rows };
}

/** What is to be said about systems without a figure. */
export function remarks(results: BenchResults, scenario: ScenarioResult): string[] {
  return scenario.results.flatMap(({ contender, remark }) => {
    const title = results.contenders.find(({ id }) => id === contender)?.title ?? contender;
    return remark === undefined ? [] : [`${title}: ${remark.split('\n', 1)[0]}`];
  });
}

function cell({ spread }: ContenderResult, { id }: Metric): string {
  const found = spread[id];
  return found === undefined ? '–' : formatSpread(found);
}

function ratioText(one: number | undefined, other: number | undefined): string {
  return one === undefined || other === undefined || other === 0 ? '–' : formatRatio(one / other);
}
