import { percentile } from '../measure/statistics.js';
import type { Lab, Size } from '../run/lab.js';
import { CONCURRENCY, type Figures, type Metric, type Scenario } from './scenario.js';

/** In a full run forty seconds of them: the pause of one checkpoint of the server must not decide the 99th percentile. */
const PROBES: Size = { quick: 80, full: 1_000 };
const PROBES_UNDER_LOAD: Size = { quick: 80, full: 500 };
/**
 * Worked off before the first probe, one after the other as the probes are: processes that have compiled what they run
 * often, and a table that has been in use, are what people have. Few for Agenda, which gets slower with each: medians of
 * 10.2 and 10.2 ms after 100 jobs, 11.2 and 12 after 800, 14.8 and 15 after 2,000.
 */
const USED: Size = { quick: { slow: 50, fast: 150 }, full: { slow: 100, fast: 2_000 } };
const PROBE_EVERY_MS = 40;
/** Half of the 50 slots are busy: 50 jobs a second that take 500 ms each, a pace that every system can keep. */
const LOAD = { every: 20, ms: 500 } as const;
/** Before the first probe, so that streams and connections are open, and the load is steady. */
const SETTLE_MS = 1_500;

const METRICS: readonly [Metric, ...Metric[]] = [
  { id: 'p50', title: 'median', unit: 'ms', better: 'lower' },
  { id: 'p95', title: '95th percentile', unit: 'ms', better: 'lower' },
  { id: 'p99', title: '99th percentile', unit: 'ms', better: 'lower' },
];

export const latency: Scenario = {
  id: 'latency',
  title: 'Latency on an idle worker',
  explanation:
    'From the call of enqueue in one process to the start of the handler in another that has nothing else to do; ' +
    'one job about every 40 ms. The queue has been in use: 2,000 jobs, 100 for Agenda, ' +
    'went through it before, enqueued one by one.',
  metrics: METRICS,
  rounds: { quick: 1, full: 3 },
  measure: (lab) => measureLatency(lab, false),
};

export const latencyUnderLoad: Scenario = {
  id: 'latency-under-load',
  title: 'Latency under half load',
  explanation:
    'The same while half of the 50 slots are busy: 50 jobs a second of another name, 500 ms each, arrive all the time.',
  metrics: METRICS,
  rounds: { quick: 0, full: 2 },
  measure: (lab) => measureLatency(lab, true),
};

async function measureLatency(lab: Lab, underLoad: boolean): Promise<Figures> {
  const names = underLoad ? ['probe', 'load'] : ['probe'];
  const probes = lab.count(underLoad ? PROBES_UNDER_LOAD : PROBES);
  const used = lab.count(USED);
  const loads = underLoad ? Math.ceil((SETTLE_MS + probes * PROBE_EVERY_MS) / LOAD.every) : 0;
  const [sender, worker] = [await lab.sender(names), await lab.worker()];
  const expected = used + probes + loads;
  await worker.call('work', { names, concurrency: CONCURRENCY, tuning: 'latency', expected });
  await sender.call('enqueue', { names: ['probe'], count: used, mode: 'one by one' });
  await lab.handled([worker], used);
  const load = sender.call('send', {
    name: 'load',
    count: loads,
    first: used + probes,
    timed: false,
    ...LOAD,
  });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  await sender.call('send', {
    name: 'probe',
    count: probes,
    every: PROBE_EVERY_MS,
    first: used,
    timed: true,
  });
  await load;
  const [report] = await lab.finish([worker], expected);
  const latencies = report?.latencies ?? [];
  return {
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
  };
}
