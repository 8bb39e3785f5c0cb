import { fileURLToPath } from 'node:url';
import { printBudget } from './budget/print-budget.js';
import { type CliOptions, HELP, isComplete, readOptions } from './cli-options.js';
import type { ContenderProfile } from './contenders/contender.js';
import { loadContender } from './contenders/load.js';
import { leftOut } from './left-out.js';
import { terminalReport } from './report/terminal.js';
import { writeReport } from './report/write-report.js';
import { describeMachine } from './run/machine.js';
import { Progress } from './run/progress.js';
import type { BenchResults } from './run/results.js';
import { type Entrant, ScenarioRun } from './run/scenario-run.js';
import { versionOf } from './run/versions.js';
import { SCENARIOS } from './scenarios/all.js';
import type { Scenario } from './scenarios/scenario.js';
import { findServers, type Servers } from './servers/find-servers.js';

const COMMITTED = fileURLToPath(new URL('../../docs/benchmarks', import.meta.url));
/** Results of runs that do not tell everything. */
const SCRATCH = fileURLToPath(new URL('../../node_modules/.cache/monque-bench', import.meta.url));

/** Runs the benchmark; resolves with the exit code. */
export async function bench(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const options = readOptions(args);
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const name = `monque_bench_${process.pid}`;
  if (options.budget) return printBudget(name);
  const machine = describeMachine();
  for (const [name, text] of Object.entries(machine)) console.log(`${name}: ${text}`);
  const profiles = await Promise.all(options.contenders.map(loadContender));
  const servers = await findServers(
    profiles.map(({ server }) => server),
    name,
  );
  try {
    const runs = await measure(options, profiles, servers, { name, start });
    const scenarios = runs.map(({ result }) => result);
    const timeWasUp = runs.some((run) => run.timeWasUp);
    const isWhole = isComplete(options) && !timeWasUp;
    const results: BenchResults = {
      madeAt: new Date().toISOString(),
      kind: isWhole ? 'full' : kindOfShort(options),
      leftOut: leftOut(options, { ran: scenarios.map(({ id }) => id), timeWasUp }),
      minutes: Math.round((performance.now() - start) / 6_000) / 10,
      machine,
      servers: [...servers.found.values()].map(({ description }) => description),
      contenders: profiles.map((profile) => describeContender(profile, servers)),
      scenarios,
    };
    const folder = options.out ?? (isWhole ? COMMITTED : SCRATCH);
    writeReport(results, folder);
    console.log(`${terminalReport(results)}\n\nWritten to ${folder}: results.json, index.html, README.md`);
    return scenarios.some(({ results: all }) => all.some(({ failed }) => failed)) ? 1 : 0;
  } finally {
    await servers.stop();
  }
}

function kindOfShort({ scale, quick }: CliOptions): BenchResults['kind'] {
  if (scale !== 1) return 'trial';
  return quick ? 'quick' : 'partial';
}

async function measure(
  options: CliOptions,
  profiles: readonly ContenderProfile[],
  servers: Servers,
  { name, start }: { name: string; start: number },
): Promise<ScenarioRun[]> {
  for (const { description } of servers.found.values()) console.log(description);
  for (const reason of servers.missing.values()) console.log(`SKIPPED: ${reason}`);
  const entrants = profiles.flatMap((profile): Entrant[] => {
    const server = servers.found.get(profile.server);
    return server === undefined ? [] : [{ profile, server }];
  });
  const deadline = start + options.minutes * 60_000;
  const progress = new Progress();
  const runs = chosen(options).map(
    (scenario) => new ScenarioRun(scenario, entrants, { ...options, name, deadline }, progress),
  );
  // Rounds of all scenarios in turn: whatever else the machine does meets all systems and scenarios alike, and a quick
  // run whose time is up has measured everything once.
  const rounds = Math.max(...runs.map((run) => run.rounds));
  for (let round = 0; round < rounds; round++) {
    for (const run of runs) if (round < run.rounds) await run.measureRound(round);
  }
  return runs;
}

function chosen({ only, quick }: CliOptions): Scenario[] {
  if (only === undefined) return SCENARIOS.filter(({ rounds }) => !quick || rounds.quick > 0);
  return SCENARIOS.filter(({ id }) => only.includes(id));
}

function describeContender(profile: ContenderProfile, servers: Servers): BenchResults['contenders'][number] {
  const { id, title, settings } = profile;
  const missing = servers.missing.get(profile.server);
  return {
    id,
    title,
    version: versionOf(profile.package),
    settings,
    ...(missing === undefined ? {} : { missing }),
  };
}
