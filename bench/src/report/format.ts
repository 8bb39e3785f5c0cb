import type { Spread } from '../measure/statistics.js';

/** Three significant digits, with separators for thousands. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

/** The median, and in brackets from least to most where they differ. */
export function formatSpread({ median, min, max }: Spread, format = formatFigure): string {
  const text = format(median);
  return min === max ? text : `${text} (${format(min)} – ${format(max)})`;
}

/** How many times as much, in three significant digits: what is a little below 1 does not read as 1. */
export function formatRatio(ratio: number): string {
  return `${Number(ratio.toPrecision(3))}×`;
}
