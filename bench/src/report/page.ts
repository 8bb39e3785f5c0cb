import type { BenchResults, ScenarioResult } from '../run/results.js';
import { barChart } from './chart.js';
import { escapeHtml } from './html-text.js';
import { facts, leftOutText, targetTable } from './markdown.js';
import { STYLE } from './page-style.js';
import { OURS, remarks, scenarioTable, type Table } from './scenario-table.js';
import { judgeTargets } from './targets.js';

/** The results as one page that needs nothing else: charts are inline, and there are no scripts. */
export function pageReport(results: BenchResults): string {
  const targets = judgeTargets(results);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Monque: benchmarks</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Monque beside its peers</h1>
<p>All systems in one run on one machine, their rounds interleaved. Bars are medians, the lines on them go from the least to the
most of all rounds. Machines differ, so the ratios are the result: each is taken within a round, and the median over the rounds is shown.
<code>npm run bench</code> makes this page anew.</p>
${results.leftOut.length === 0 ? '' : `<p><strong>${escapeHtml(leftOutText(results))}</strong></p>`}
${targets.length === 0 ? '' : `<section><h2>Targets</h2>${table(targetTable(targets))}</section>`}
${results.scenarios.map((scenario) => section(results, scenario)).join('\n')}
<section><h2>Machine and servers</h2><dl>${facts(results)
    .map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>`)
    .join('')}</dl></section>
<section><h2>Systems and their settings</h2><dl>${results.contenders
    .map(
      ({ title, version, settings, missing }) =>
        `<dt>${escapeHtml(`${title} ${version}`)}</dt><dd>${escapeHtml(missing ?? settings.join('; '))}</dd>`,
    )
    .join('')}</dl></section>
</body>
</html>
`;
}

function section(results: BenchResults, scenario: ScenarioResult): string {
  const charts = scenario.metrics.map((metric) => {
    const bars = scenario.results.flatMap(({ contender, spread }) => {
      const found = spread[metric.id];
      const title = results.contenders.find(({ id }) => id === contender)?.title ?? contender;
      return found === undefined ? [] : [{ title, spread: found, ours: contender.startsWith(OURS) }];
    });
    return bars.length === 0 ? '' : barChart(metric, bars);
  });
  return `<section>
<h2 id="${scenario.id}">${escapeHtml(scenario.title)}</h2>
<p>${escapeHtml(scenario.explanation)}</p>
${charts.join('\n')}
<details><summary>Figures and ratios</summary>${table(scenarioTable(results, scenario))}</details>
${remarks(results, scenario)
  .map((remark) => `<p class="remark">${escapeHtml(remark)}</p>`)
  .join('')}
</section>`;
}

function table({ head, rows }: Table): string {
  const cells = (tag: string, texts: readonly string[]) =>
    texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('');
  return `<div class="wide"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells('td', row)}</tr>`)
    .join('')}</tbody></table></div>`;
}
