import type { BenchResults } from '../run/results.js';
import { remarks, scenarioTable, type Table } from './scenario-table.js';
import { judgeTargets } from './targets.js';

/** The results as a page of Markdown. */
export function markdownReport(results: BenchResults): string {
  const targets = judgeTargets(results);
  return `${[
    '# Benchmarks',
    'Monque beside its peers, all in one run on one machine: `npm run bench` makes this page anew. Figures are medians over the ' +
      'rounds, with the least and the most in brackets. Machines differ, so **the ratios are the result**; each is taken within a round, and ' +
      'the median over the rounds is shown. ' +
      'With charts: [index.html](index.html). Every figure of every round: [results.json](results.json).',
    ...(results.leftOut.length === 0 ? [] : [`**${leftOutText(results)}**`]),
    '## What was measured on what',
    ...facts(results).map(([name, text]) => `- ${name}: ${text}`),
    '## Systems and their settings',
    ...results.contenders.map(
      ({ title, version, settings, missing }) =>
        `- **${title}** ${version}: ${missing === undefined ? settings.join('; ') : `not measured. ${missing}`}`,
    ),
    ...(targets.length === 0 ? [] : ['## Targets', table(targetTable(targets))]),
    ...results.scenarios.flatMap((scenario) => [
      `## ${scenario.title}`,
      scenario.explanation,
      table(scenarioTable(results, scenario)),
      ...remarks(results, scenario).map((remark) => `- ${remark}`),
    ]),
  ]
    .join('\n\n')
    // Items of a list belong together.
    .replaceAll(/^(- .*)\n\n(?=- )/gm, '$1\n')}\n`;
}

/** That a run was not a full one, and what it lacks. */
export function leftOutText({ kind, leftOut }: BenchResults): string {
  return `This was a ${kind} run. Left out: ${leftOut.join('; ')}.`;
}

/** Machine, servers and run as pairs of name and text. */
export function facts(results: BenchResults): [string, string][] {
  return [
    ...Object.entries(results.machine),
    ...results.servers.map((server): [string, string] => ['server', server]),
    ['run', `${results.kind}, ${results.minutes} minutes, ${results.madeAt}`],
  ];
}

export function targetTable(targets: ReturnType<typeof judgeTargets>): Table {
  return {
    head: ['target', 'wanted', 'found', ''],
    rows: targets.map(({ title, wanted, found, met }) => [title, wanted, found, met ? 'met' : 'not met']),
  };
}

function table({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
