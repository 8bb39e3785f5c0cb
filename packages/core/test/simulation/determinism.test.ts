import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBroken, planAt, SEED, traceOf } from './check-histories.js';
import { type Profile, plans } from './plans.js';
import { LONG } from './simulate.js';

const PROFILES: readonly Profile[] = ['crashes', 'network', 'outages', 'callers'];

test.each(PROFILES)(
  'a history of "%s" is the same every time, whatever was played before',
  async (profile) => {
    const some = fc.sample(plans(profile), { seed: SEED, numRuns: 50 });
    const traces: string[][] = [];
    for (const plan of some) traces.push(await traceOf(plan));
    expect(new Set(traces.map((trace) => trace.join('\n'))).size).toBeGreaterThan(40);
    for (const [index, plan] of [...some.entries()].reverse()) {
      expect(await traceOf(plan)).toEqual(traces[index]);
    }
  },
  LONG,
);

test(
  'a seed and a path lead to the history that broke a promise, also after it was reduced',
  async () => {
    const bug = { server: () => ({ release: async () => {} }) };
    const broken = await findBroken('crashes', 1_000, { seed: SEED, bug });
    expect(broken?.path).toMatch(/^\d+(:\d+)+$/);
    expect(planAt('crashes', SEED, broken?.path ?? '')).toEqual(broken?.plan);
  },
  LONG,
);
