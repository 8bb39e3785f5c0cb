import fc from 'fast-check';
import type { Behaviour, Event, JobPlan, MachinePlan, Plan, Step } from './plan.js';

/** What a kind of history has much of. */
export type Profile = 'crashes' | 'network' | 'outages' | 'callers';

const HOUR = 3_600_000;
const name = fc.constantFrom('a', 'b');
const target = fc.nat(9);
/** In parts of `lockTimeout`: most things follow each other closely. */
const wait = fc.constantFrom(0, 0, 0, 0.00002, 0.00005, 0.0002, 0.001, 0.01, 0.05, 0.3, 1.3);
const skew = fc.constantFrom(0, 0, 0, 24 * HOUR, -24 * HOUR, HOUR, -HOUR, 5_000, -5_000);

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 5, arbitrary: behave('succeed', 0, 0, 0.001, 0.02, 0.5, 1.5, 2.5) },
  { weight: 4, arbitrary: behave('fail', 0, 0.001, 0.5) },
  { weight: 1, arbitrary: behave('fail for good', 0, 0.02) },
  { weight: 1, arbitrary: behave('snooze', 0, 0.02) },
  { weight: 1, arbitrary: behave('cancel itself', 0, 0.02) },
  { weight: 1, arbitrary: behave('hang', 0) },
  { weight: 1, arbitrary: behave('hang until aborted', 0) },
  { weight: 1, arbitrary: behave('block', 0.02, 0.5, 1.5) },
);

function behave(type: Behaviour['type'], ...takes: number[]): fc.Arbitrary<Behaviour> {
  return fc.constantFrom(...takes).map((parts) => ({ type, takes: parts }));
}

const job: fc.Arbitrary<JobPlan> = fc
  .record({
    name,
    uniqueKey: fc.constantFrom(undefined, undefined, 'x', 'y'),
    onDuplicate: fc.constantFrom('keep', 'keep', 'replace', 'reject'),
    priority: fc.constantFrom(0, 0, 0, 1, -1),
    delay: fc.constantFrom(0, 0, 0, 0.002, 0.2, 1.2),
    hold: fc.constantFrom(false, false, false, false, true),
    timeout: fc.constantFrom(0, 0, 0, 0.05, 1.2),
    maxRetries: fc.constantFrom(1, 2, 3),
    script: fc.array(behaviour, { maxLength: 3 }),
  })
  .map(({ uniqueKey, ...plan }) =>
    // A held job does not occupy its key, and could then not be released.
    uniqueKey === undefined || plan.hold ? plan : { ...plan, uniqueKey },
  ) as fc.Arbitrary<JobPlan>;

const stored: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('enqueue'), job }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('enqueueMany'),
      jobs: fc.array(job, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('schedule'), minutes: fc.constantFrom(1, 2), job }) },
) as fc.Arbitrary<Event>;

const asked: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ type: fc.constant('cancel'), target, running: fc.boolean() }),
  fc.record({ type: fc.constantFrom('retry', 'delete', 'release'), target }),
  fc.record({ type: fc.constant('reschedule'), target, delay: fc.constantFrom(0, 0.001, 0.5) }),
  fc.record({ type: fc.constantFrom('cancelAll', 'retryAll', 'deleteAll'), name }),
  fc.constant({ type: 'drain' }),
) as fc.Arbitrary<Event>;

const crashed: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('kill'), steps: fc.constantFrom(0, 1, 2, 3, 5, 8, 13) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('stop', 'start', 'start') }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('freeze'), parts: fc.constantFrom(0.01, 0.5, 1.5) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('set clock'), skew }) },
) as fc.Arbitrary<Event>;

const unreachable: fc.Arbitrary<Event> = fc.oneof(
  fc.constant({ type: 'break stream' }),
  fc.record({
    type: fc.constant('outage'),
    parts: fc.constantFrom(0.02, 0.4, 1.2, 2),
    hanging: fc.boolean(),
  }),
) as fc.Arbitrary<Event>;

/** How often what kind of thing happens, and how bad the network is. */
const PROFILES: Record<
  Profile,
  { stored: number; asked: number; crashed: number; unreachable: number; rates: number[] }
> = {
  crashes: { stored: 8, asked: 1, crashed: 8, unreachable: 1, rates: [0, 0, 0.02] },
  network: { stored: 8, asked: 1, crashed: 1, unreachable: 1, rates: [0.02, 0.1, 0.3] },
  outages: { stored: 8, asked: 1, crashed: 1, unreachable: 6, rates: [0] },
  callers: { stored: 8, asked: 10, crashed: 2, unreachable: 1, rates: [0, 0, 0.02, 0.1] },
};

const machine: fc.Arbitrary<MachinePlan> = fc.record({
  skew,
  concurrency: fc.constantFrom(1, 2, 5),
  limit: fc.constantFrom(0, 0, 0, 1, 2),
  fixedId: fc.boolean(),
});

/** Plans of histories. */
export function plans(profile: Profile): fc.Arbitrary<Plan> {
  const { rates, ...weights } = PROFILES[profile];
  const event = fc.oneof(
    { weight: weights.stored, arbitrary: stored },
    { weight: weights.asked, arbitrary: asked },
    { weight: weights.crashed, arbitrary: crashed },
    { weight: weights.unreachable, arbitrary: unreachable },
  );
  const step: fc.Arbitrary<Step> = fc.record({ wait, machine: fc.nat(2), event });
  return fc.record({
    seed: fc.nat(),
    lockTimeout: fc.constantFrom(45_000, 60_000),
    streams: fc.constantFrom(true, true, false),
    slow: fc.constantFrom(...rates),
    failing: fc.constantFrom(...rates),
    machines: fc.array(machine, { minLength: 1, maxLength: 3 }),
    steps: fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }),
  });
}
