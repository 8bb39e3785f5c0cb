import { type CliOptions, isComplete } from './cli-options.js';
import { CONTENDER_IDS } from './contenders/load.js';
import { SCENARIOS } from './scenarios/all.js';

/** What became of a run. */
export interface Course {
  /** The scenarios that were run. */
  readonly ran: readonly string[];
  /** Whether some of it was not measured because the time was up. */
  readonly timeWasUp: boolean;
}

/** What a run leaves out of a complete one, for people to read; nothing for a complete one. */
export function leftOut(options: CliOptions, { ran, timeWasUp }: Course): string[] {
  if (isComplete(options) && !timeWasUp) return [];
  const { quick, shortcut, contenders, rounds, minutes, scale } = options;
  const scenarios = SCENARIOS.filter(({ id }) => !ran.includes(id)).map(({ id }) => id);
  const systems = CONTENDER_IDS.filter((id) => !contenders.includes(id));
  const heavy = SCENARIOS.filter((scenario) => scenario.heavy && ran.includes(scenario.id)).map(
    ({ id }) => id,
  );
  return [
    ...(scenarios.length > 0 ? [`the scenarios ${scenarios.join(', ')}`] : []),
    ...(systems.length > 0 ? [`the systems ${systems.join(', ')}`] : []),
    ...(shortcut && heavy.length > 0 ? [`all systems but Monque in ${heavy.join(', ')} (--shortcut)`] : []),
    ...(quick ? ['jobs and rounds of a full run: a quick one has fewer (--quick)'] : []),
    ...(rounds === undefined
      ? []
      : [`rounds: ${rounds} of every scenario, whatever its own number (--rounds)`]),
    ...(timeWasUp ? [`whatever had not begun after ${minutes} minutes`] : []),
    ...(scale === 1 ? [] : [`jobs: ${scale} times as many as in a full run (--scale)`]),
  ];
}
