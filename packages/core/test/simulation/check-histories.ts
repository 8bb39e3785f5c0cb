import fc from 'fast-check';
import type { PlantedBug } from './history.js';
import type { Plan } from './plan.js';
import { type Profile, plans } from './plans.js';
import { runHistory } from './run-history.js';

/** Chosen once, so that a run is as good as the next; `MONQUE_SIMULATION_SEED` tries others. */
export const SEED = 20_260_101;

/** A history that broke a promise. */
export interface Broken {
  readonly plan: Plan;
  readonly violation: string;
  readonly seed: number;
  /** With the seed, leads to this very history. */
  readonly path: string;
}

/** Plays histories until one breaks a promise, and looks for the smallest that does so too. */
export async function findBroken(
  profile: Profile,
  histories: number,
  options: { readonly seed: number; readonly bug?: PlantedBug; readonly reduce?: boolean },
): Promise<Broken | undefined> {
  const { seed, bug, reduce = true } = options;
  const keepsItsPromises = fc.asyncProperty(plans(profile), async (plan) => {
    const violation = await runHistory(plan, { bug });
    if (violation !== undefined) throw new Error(violation);
  });
  const { counterexample, counterexamplePath, errorInstance } = await fc.check(keepsItsPromises, {
    seed,
    numRuns: histories,
    endOnFailure: !reduce,
  });
  if (counterexample === null) return undefined;
  const violation = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { plan: counterexample[0], violation, seed, path: counterexamplePath ?? '' };
}

/** The history to which a seed and a path lead. */
export function planAt(profile: Profile, seed: number, path: string): Plan {
  const [plan] = fc.sample(plans(profile), { seed, path, numRuns: 1 });
  if (plan === undefined) throw new Error(`No history of "${profile}" has the path ${path}`);
  return plan;
}

/** Plays a history once more, and tells all that happens in it, line by line. */
export async function traceOf(plan: Plan): Promise<string[]> {
  const trace: string[] = [];
  await runHistory(plan, { trace });
  return trace;
}
