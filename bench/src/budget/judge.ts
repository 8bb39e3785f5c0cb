import { BUDGETS, type Budget } from './budgets.js';
import type { Counter } from './counts.js';
import type { OperationKind } from './operation-kind.js';
import type { Measured, Workload } from './workloads/workload.js';

/** A figure beside its budget. */
export interface Finding extends Budget {
  readonly workload: Pick<Workload, 'title' | 'unit'>;
  readonly kind: OperationKind | 'all';
  readonly counter: Counter;
  readonly found: number;
  readonly isKept: boolean;
}

/** Holds what a workload came to against its budgets. */
export function judge(workload: Pick<Workload, 'id' | 'title' | 'unit'>, measured: Measured): Finding[] {
  const kinds = Object.entries(BUDGETS[workload.id] ?? {}) as [Finding['kind'], object][];
  return kinds.flatMap(([kind, counters]) => {
    const counts = measured.tally(kind);
    return (Object.entries(counters) as [Counter, Budget][]).map(([counter, budget]) => {
      const found = counts[counter] / unitsOf(counter, measured);
      const isKept = found <= budget.most && found >= (budget.least ?? 0);
      return { ...budget, workload, kind, counter, found, isKept };
    });
  });
}

function unitsOf(counter: Counter, { units, commandUnits = units }: Measured): number {
  return counter === 'commands' || counter === 'statements' ? commandUnits : units;
}

/** What is wrong with a figure that broke its budget, and what to do. */
export function explainBreach({ workload, kind, counter, found, measured, most }: Finding): string {
  const figure = `${workload.title}, ${kind}: ${round(found)} ${wordsOf(counter)} per ${workload.unit}`;
  return found > most
    ? `${figure}, at most ${most} allowed and ${measured} usual`
    : `${figure}, which is too little: operations were not counted, or not recognised`;
}

/** `documentsExamined` as people write it. */
export function wordsOf(counter: Counter): string {
  return counter.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function round(figure: number): number {
  return Math.round(10 * figure) / 10;
}
