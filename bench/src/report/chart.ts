import type { Spread } from '../measure/statistics.js';
import type { Metric } from '../scenarios/scenario.js';
import { formatFigure } from './format.js';
import { escapeHtml } from './html-text.js';

/** One bar of a chart. */
export interface Bar {
  readonly title: string;
  readonly spread: Spread;
  /** Whether it is drawn in the strong colour. */
  readonly ours: boolean;
}

const WIDTH = 720;
const ROW = 30;
const LABEL = 210;
const FIGURE = 90;
const PLOT = WIDTH - LABEL - FIGURE;

/** Horizontal bars for the medians, each with a line from the least to the most. */
export function barChart(metric: Metric, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ spread }) => spread.max), Number.MIN_VALUE);
  const height = bars.length * ROW + 6;
  const rows = bars.map((bar, index) => drawBar(bar, index, most)).join('');
  const name = escapeHtml(metric.unit === '' ? metric.title : `${metric.title}, ${metric.unit}`);
  return `<figure>
<figcaption>${name} <small>(${metric.better} is better)</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${name}">${rows}</svg>
</figure>`;
}

function drawBar({ title, spread, ours }: Bar, index: number, most: number): string {
  const x = (value: number) => (LABEL + (PLOT * value) / most).toFixed(1);
  const top = index * ROW + 5;
  const middle = top + 10;
  const width = Math.max(1, (PLOT * spread.median) / most).toFixed(1);
  return (
    `<text class="label" x="${LABEL - 8}" y="${middle + 4}">${escapeHtml(title)}</text>` +
    `<rect class="${ours ? 'ours' : 'peer'}" x="${LABEL}" y="${top}" width="${width}" height="20" rx="3"/>` +
    `<line x1="${x(spread.min)}" x2="${x(spread.max)}" y1="${middle}" y2="${middle}"/>` +
    `<text class="figure" x="${Number(x(spread.max)) + 6}" y="${middle + 4}">${formatFigure(spread.median)}</text>`
  );
}
