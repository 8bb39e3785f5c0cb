import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchResults } from '../run/results.js';
import { markdownReport } from './markdown.js';
import { pageReport } from './page.js';

/** Writes results.json, index.html and README.md. */
export function writeReport(results: BenchResults, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(folder, 'index.html'), pageReport(results));
  writeFileSync(join(folder, 'README.md'), markdownReport(results));
}
