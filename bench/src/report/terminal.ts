import type { BenchResults } from '../run/results.js';
import { leftOutText } from './markdown.js';
import { remarks, scenarioTable, type Table } from './scenario-table.js';
import { judgeTargets } from './targets.js';

/** The results as text in columns. */
export function terminalReport(results: BenchResults): string {
  const parts = results.scenarios.map((scenario) =>
    [
      `\n${scenario.title}`,
      columns(scenarioTable(results, scenario)),
      ...remarks(results, scenario).map((remark) => `  ${remark}`),
    ].join('\n'),
  );
  if (results.leftOut.length > 0) parts.push(`\n${leftOutText(results)}`);
  const targets = judgeTargets(results);
  const rows = targets.map(({ title, wanted, found, met }) => [
    title,
    wanted,
    found,
    met ? 'met' : 'NOT MET',
  ]);
  if (rows.length > 0) parts.push(`\nTargets\n${columns({ head: ['target', 'wanted', 'found', ''], rows })}`);
  return parts.join('\n');
}

/** A table as text. */
export function columns({ head, rows }: Table): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
