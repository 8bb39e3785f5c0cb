import { findBroken, planAt, SEED, traceOf } from './check-histories.js';
import type { Profile } from './plans.js';

/*
 * Several instances of Monque share one store, in virtual time, and everything that can go wrong does: see plan.ts for
 * what happens in a history, and the files that end in rules.ts for what must be true in all of them.
 *
 * A history that breaks a promise is reduced to the smallest that does, and printed with its seed and its path. These
 * environment variables play it again, or play others:
 *
 *   MONQUE_SIMULATION_REPLAY=<kind>/<seed>/<path>   this one history, and print all that happens in it
 *   MONQUE_SIMULATION_HISTORIES=<number>            so many histories of each kind, instead of a few thousand
 *   MONQUE_SIMULATION_SEED=<number>                 other histories than usual
 *
 * for instance: MONQUE_SIMULATION_REPLAY=crashes/20260101/81:0:3 npm test -- simulation
 */
const { MONQUE_SIMULATION_REPLAY, MONQUE_SIMULATION_HISTORIES, MONQUE_SIMULATION_SEED } = process.env;

/** Of each of the four kinds: ten thousand in all. */
const HISTORIES = 2_500;

/** Far more than histories take on a busy machine, in milliseconds. */
export const LONG = 600_000;

/** Plays histories of one kind, and throws with a trace where one breaks a promise. */
export async function simulate(profile: Profile): Promise<void> {
  if (MONQUE_SIMULATION_REPLAY !== undefined) return replay(profile, MONQUE_SIMULATION_REPLAY);
  const histories = Number(MONQUE_SIMULATION_HISTORIES ?? HISTORIES);
  const broken = await findBroken(profile, histories, { seed: Number(MONQUE_SIMULATION_SEED ?? SEED) });
  if (broken === undefined) return;
  const { violation, seed, path, plan } = broken;
  const command = `MONQUE_SIMULATION_REPLAY=${profile}/${seed}/${path} npm test -- simulation`;
  const trace = (await traceOf(plan)).join('\n');
  throw new Error(`${violation}\nSeed ${seed}, path ${path}. Play it again: ${command}\n${trace}`);
}

async function replay(profile: Profile, history: string): Promise<void> {
  const [kind, seed = '', path = ''] = history.split('/');
  if (kind !== profile) return;
  const plan = planAt(profile, Number(seed), path);
  const trace = await traceOf(plan);
  console.log([JSON.stringify(plan, undefined, 2), ...trace].join('\n'));
  const broken = trace.find((line) => line.includes('!!!'));
  if (broken !== undefined) throw new Error(broken);
}
