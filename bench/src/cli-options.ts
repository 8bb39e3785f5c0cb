import { parseArgs } from 'node:util';
import { CONTENDER_IDS } from './contenders/load.js';
import { SCENARIOS } from './scenarios/all.js';

/** After which a quick run begins no further measurement. */
const QUICK_MINUTES = 2.7;

export const HELP = `Measures Monque beside its peers, in one run on the same machine.

  npm run bench                      everything, about two hours; writes docs/benchmarks, as no shorter run does
  npm run bench -- --quick           the main scenarios, within three minutes
  npm run bench -- --budget          counts commands and documents read instead, in seconds; fails beyond a budget

  --only <scenario,...>              ${SCENARIOS.map(({ id }) => id).join(', ')}
  --contenders <system,...>          ${CONTENDER_IDS.join(', ')}
  --rounds <n>                       rounds of every scenario
  --shortcut                         the scenarios that take minutes for Monque alone
  --minutes <n>                      begins no further measurement after so long
  --scale <factor>                   factor on all numbers of jobs, to try something out
  --out <folder>                     where results.json, index.html and README.md go; they say what a shorter run left out
  --profile <folder>                 CPU profiles of the workers go here
  --help                             this text

Servers: MONGODB_URI, DATABASE_URL, MARIADB_URL and REDIS_URL; else a MongoDB that is started for the run, and PostgreSQL, Redis and
MariaDB on this machine at their usual ports. A system whose server is missing is left out.
`;

export interface CliOptions {
  readonly quick: boolean;
  readonly budget: boolean;
  /** Leaves other systems out of the scenarios that take minutes. */
  readonly shortcut: boolean;
  readonly only: readonly string[] | undefined;
  readonly contenders: readonly string[];
  readonly rounds: number | undefined;
  /** Most minutes after which a further measurement begins. */
  readonly minutes: number;
  readonly scale: number;
  readonly out: string | undefined;
  readonly profileTo: string | undefined;
  readonly help: boolean;
}

/** @throws with a text for people, when an argument makes no sense. */
export function readOptions(args: readonly string[]): CliOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      budget: { type: 'boolean', default: false },
      shortcut: { type: 'boolean', default: false },
      only: { type: 'string' },
      contenders: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string' },
      scale: { type: 'string', default: '1' },
      out: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    quick: values.quick,
    budget: values.budget,
    shortcut: values.shortcut,
    only: listOf(
      values.only,
      '--only',
      SCENARIOS.map(({ id }) => id),
    ),
    contenders: listOf(values.contenders, '--contenders', CONTENDER_IDS) ?? CONTENDER_IDS,
    rounds: values.rounds === undefined ? undefined : positive(values.rounds, '--rounds'),
    minutes: minutesOf(values.minutes, values.quick),
    scale: positive(values.scale, '--scale'),
    out: values.out,
    profileTo: values.profile,
    help: values.help,
  };
}

/**
 * Whether a run with these options tells everything, so that its results may be committed, unless its time is up before.
 * One that is cut short in any way goes to docs/benchmarks only where `--out` says so, and tells there what it left out.
 */
export function isComplete(options: CliOptions): boolean {
  const { quick, shortcut, only, contenders, rounds, scale } = options;
  const isWhole = only === undefined && CONTENDER_IDS.every((id) => contenders.includes(id));
  return isWhole && !quick && !shortcut && rounds === undefined && scale === 1;
}

function listOf(text: string | undefined, option: string, known: readonly string[]): string[] | undefined {
  const items = text?.split(',').map((item) => item.trim());
  for (const item of items ?? []) {
    if (!known.includes(item))
      throw new Error(`${option} does not know '${item}'. Choose among: ${known.join(', ')}`);
  }
  return items;
}

/** A quick run ends within three minutes, whatever it has measured by then. */
function minutesOf(text: string | undefined, quick: boolean): number {
  if (text !== undefined) return positive(text, '--minutes');
  return quick ? QUICK_MINUTES : Number.POSITIVE_INFINITY;
}

function positive(text: string, option: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} must be a number above 0, but got '${text}'`);
  return value;
}
