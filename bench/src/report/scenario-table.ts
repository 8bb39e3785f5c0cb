import type { BenchResults, ContenderResult, ScenarioResult } from '../run/results.js';
import { type Metric, PLAIN } from '../scenarios/scenario.js';
import { formatRatio, formatSpread } from './format.js';
import { type Figure, spreadOfRatio } from './ratios.js';

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
  // A ratio above 1 is good news for one metric and bad for another, so the head says which.
  const direction = main?.better === 'lower' ? ' (lower is better)' : '';
  const compared = scenario.metrics.length > 1 && main !== undefined ? `: ${main.title}` : '';
  const head = [
    'system',
    ...scenario.metrics.map(({ title, unit }) => (unit === '' ? title : `${title}, ${unit}`)),
    `Monque (MongoDB) to it${compared}${direction}`,
    ...(comparedWith === undefined ? [] : [`itself to ${comparedWith}${direction}`]),
  ];
  const rows = scenario.results.map((result) => {
    const { contender } = result;
    const its = { scenario: scenario.id, contender };
    return [
      results.contenders.find(({ id }) => id === contender)?.title ?? contender,
      ...scenario.metrics.map((metric) => cell(result, metric)),
      ratioText(results, { scenario: scenario.id, contender: OURS }, its),
      ...(comparedWith === undefined ? [] : [ratioText(results, its, { ...its, metric: PLAIN.id })]),
    ];
  });
  return { head, rows };
}

/** What is to be said about systems with fewer figures or none; those with the same to say share a line. */
export function remarks(results: BenchResults, scenario: ScenarioResult): string[] {
  const titles = new Map<string, string[]>();
  for (const { contender, remark } of scenario.results) {
    if (remark === undefined) continue;
    const title = results.contenders.find(({ id }) => id === contender)?.title ?? contender;
    const text = remark.split('\n', 1)[0] ?? '';
    titles.set(text, [...(titles.get(text) ?? []), title]);
  }
  return [...titles].map(([text, systems]) => `${systems.join(', ')}: ${text}`);
}

function cell({ spread }: ContenderResult, { id }: Metric): string {
  const found = spread[id];
  return found === undefined ? '–' : formatSpread(found);
}

function ratioText(results: BenchResults, one: Figure, other: Figure): string {
  const found = spreadOfRatio(results, one, other);
  return found === undefined ? '–' : formatRatio(found.median);
}
