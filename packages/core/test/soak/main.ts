import { setTimeout } from 'node:timers/promises';
import { mongo } from '@monque/test-servers';
import { Chance } from '../faults/scene/chance.js';
import { Scene } from '../faults/scene/scene.js';
import { HELP, readOptions } from './options.js';
import { printProgress, printReport } from './report.js';
import { Chart } from './vitals.js';

const VETERANS = 2;
const RECRUITS = 2;
/** Shortest and longest time between two kills, in milliseconds. */
const BETWEEN_KILLS = [500, 5_000] as const;
const LONGEST_PAUSE_MS = 3_000;
const LARGEST_BURST = 400;
/** Time between two samples of the vitals, in milliseconds: some forty in all, and not more often than this. */
const MOST_SAMPLES = 40;
const SHORTEST_INTERVAL_MS = 3_000;

/** Runs the soak; resolves with the exit code. */
export async function soak(args: readonly string[]): Promise<number> {
  const { minutes, seed, help } = readOptions(args);
  if (help) {
    console.log(HELP);
    return 0;
  }
  const end = new AbortController();
  const interrupt = () => end.abort();
  // A second one ends the process as usual.
  process.once('SIGINT', interrupt);
  const begin = performance.now();
  await using server = await mongo.replicaSet({ nodes: 3 });
  await using scene = await Scene.open({
    title: 'soak',
    uri: server.uri,
    chance: new Chance(seed),
    options: { lockTimeout: 10_000, workerConcurrency: 10, baseRetryInterval: 20 },
  });
  const { crew, producer } = scene;
  const veterans = await crew.start(VETERANS, { program: new URL('./fixtures/veteran.ts', import.meta.url) });
  const charts = veterans.map((worker) => new Chart(worker));
  await crew.start(RECRUITS);
  await producer.start();
  const time = globalThis.setTimeout(interrupt, minutes * 60_000);
  let kills = 0;
  const work = [
    killRecruits(scene, charts, end.signal, () => kills++),
    enqueueBursts(scene, end.signal),
    sampleVitals(
      scene,
      charts,
      Math.max(SHORTEST_INTERVAL_MS, (minutes * 60_000) / MOST_SAMPLES),
      end.signal,
    ),
  ];
  // One that fails must not leave the others at it.
  for (const one of work) one.catch(interrupt);
  try {
    await Promise.all(work);
    await scene.finish();
  } finally {
    clearTimeout(time);
    process.off('SIGINT', interrupt);
  }
  const verdict = await scene.verdict();
  return printReport({ verdict, kills, charts, refused: producer.refused, ms: performance.now() - begin });
}

async function killRecruits(
  { crew, chance }: Scene,
  charts: readonly Chart[],
  signal: AbortSignal,
  killed: () => void,
): Promise<void> {
  const veterans = new Set(charts.map(({ worker }) => worker.name));
  while (await pause(chance.between(...BETWEEN_KILLS), signal)) {
    await crew.replaceOne(chance, ({ name }) => !veterans.has(name));
    killed();
  }
}

/** Besides the steady stream of the producer. */
async function enqueueBursts({ producer, chance }: Scene, signal: AbortSignal): Promise<void> {
  while (await pause(chance.between(0, LONGEST_PAUSE_MS), signal)) {
    const burst = producer.enqueue(chance.between(1, LARGEST_BURST), { ms: chance.between(0, 20) });
    // A machine that is busy with other things may bring an election: then the burst counts as refused.
    await burst.catch(() => producer.refused++);
  }
}

async function sampleVitals(
  { producer, crew }: Scene,
  charts: readonly Chart[],
  interval: number,
  signal: AbortSignal,
): Promise<void> {
  while (await pause(interval, signal)) {
    await Promise.all(charts.map((chart) => chart.sample()));
    printProgress(producer.acknowledged.size, crew.harmed.size, charts);
  }
}

/** Whether the pause came to its end. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
