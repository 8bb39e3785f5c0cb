import { formatFigure } from '../report/format.js';
import type { Figures, Scenario } from '../scenarios/scenario.js';

/** Tells what is being measured, on the terminal. */
export class Progress {
  /** On a terminal a step is announced, and its line is written over once it is done. */
  async step<T>(text: string, body: () => Promise<T>): Promise<T> {
    const start = performance.now();
    if (process.stdout.isTTY) process.stdout.write(`  ${text} …`);
    try {
      return await body();
    } finally {
      if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K');
      process.stdout.write(`  ${text} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    }
  }

  figures({ metrics }: Scenario, figures: Figures): void {
    const texts = metrics.flatMap((metric) => {
      const value = figures[metric.id];
      return value === undefined ? [] : [`${metric.title} ${formatFigure(value)} ${metric.unit}`.trim()];
    });
    console.log(`: ${texts.join(', ')}`);
  }

  failure(title: string, error: Error): void {
    console.log(`: FAILED\n${title}: ${error.message}`);
  }
}
