import type { Spread } from '../measure/statistics.js';

/** Three significant digits, with separators for thousands. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

/** The median, and in brackets from least to most where they differ. */
export function formatSpread({ median, min, max }: Spread): string {
  const text = formatFigure(median);
  return min === max ? text : `${text} (${formatFigure(min)} – ${formatFigure(max)})`;
}

/** How many times as much. */
export function formatRatio(ratio: number): string {
  return `${Number(ratio.toPrecision(ratio < 1 ? 2 : 3))}×`;
}
