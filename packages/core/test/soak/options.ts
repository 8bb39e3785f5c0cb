import { parseArgs } from 'node:util';

export const HELP = `npm run soak -- [options]

Enqueues and runs jobs over a replica set of three nodes for minutes or hours, with bursts and pauses, while processes
are killed at random moments. Fails if a job is lost, runs twice without a kill, or if memory or open handles of
the processes that live long grow. Ctrl-C ends early, with the same report.

  --minutes <n>  how long, 10 unless given
  --seed <n>     repeats the random moments of another run
  --help         this text`;

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number | undefined;
  readonly help: boolean;
}

/** @throws for an option that is unknown or no number. */
export function readOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
  });
  const minutes = numberOf(values.minutes ?? '10', 'minutes');
  const seed = values.seed === undefined ? undefined : numberOf(values.seed, 'seed');
  return { minutes, seed, help: values.help === true };
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`--${option} must be a number above 0, not "${text}"`);
}
