import type { Verdict } from '../faults/scene/verdict.js';
import type { Chart } from './vitals.js';

/** What a soak came to. */
export interface SoakResult {
  readonly verdict: Verdict;
  readonly kills: number;
  readonly charts: readonly Chart[];
  /** Calls of `enqueue` that failed. */
  readonly refused: number;
  /** How long it took. */
  readonly ms: number;
}

export function printProgress(jobs: number, kills: number, charts: readonly Chart[]): void {
  const vitals = charts.map(
    ({ heaps, handles }) => `${heaps.at(-1)?.toFixed(1)} MB, ${handles.at(-1)} handles`,
  );
  console.log(`${jobs} jobs in, ${kills} kills; long-lived processes: ${vitals.join('; ')}`);
}

/** Prints everything that was counted; answers the exit code. */
export function printReport({ verdict, kills, charts, refused, ms }: SoakResult): number {
  const { acknowledged, runs, repeated, lost, unexplained, unearned, early } = verdict;
  const problems = [
    ...lost.map((what) => `lost: ${what}`),
    ...unexplained.map((what) => `ran twice without a kill: ${what}`),
    ...unearned.map((what) => `counted without a claim: ${what}`),
    ...early.map((what) => `too early: ${what}`),
    ...charts.flatMap(({ growth }) => growth),
  ];
  console.log(
    [
      '',
      `time                 ${(ms / 60_000).toFixed(1)} minutes, ${kills} kills`,
      `jobs in              ${acknowledged} acknowledged, ${refused} refused`,
      `jobs final           ${acknowledged - lost.length}, ${lost.length} lost`,
      `runs                 ${runs}`,
      `duplicates           ${repeated}, of which ${unexplained.length} are not explained by a kill`,
      ...charts.flatMap(({ worker, heaps, handles }) => [
        `heap of ${worker.name}     ${heaps.map((heap) => heap.toFixed(1)).join(' ')} MB`,
        `handles of ${worker.name}  ${handles.join(' ')}`,
      ]),
      ...(problems.length === 0 ? ['PASSED'] : ['FAILED', ...problems]),
    ].join('\n'),
  );
  return problems.length === 0 ? 0 : 1;
}
