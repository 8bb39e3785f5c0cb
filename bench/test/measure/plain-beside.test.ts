import { expect, it } from 'vitest';
import { agenda } from '../../src/contenders/agenda.js';
import { Progress } from '../../src/run/progress.js';
import type { Entrant } from '../../src/run/scenario-run.js';
import { ScenarioRun } from '../../src/run/scenario-run.js';
import type { Scenario } from '../../src/scenarios/scenario.js';

it('a harder form is measured right beside its plain one, every other round in the other order', async () => {
  const order: string[] = [];
  const scenario = (id: string, jobsPerSecond: number): Scenario => ({
    id,
    title: id,
    explanation: '',
    metrics: [{ id: 'jobsPerSecond', title: '', unit: '', better: 'higher' }],
    rounds: { quick: 2, full: 2 },
    measure: async () => {
      order.push(id);
      return { jobsPerSecond };
    },
  });
  const hard: Scenario = { ...scenario('hard', 5), plain: scenario('plain', 8) };
  const server = { kind: 'mongodb', uri: '', description: '', clear: async () => {}, stop: async () => {} };
  const entrant: Entrant = { profile: agenda, server: server as Entrant['server'] };
  const options = { name: 'test', quick: false, scale: 1, profileTo: undefined, rounds: undefined };
  const run = new ScenarioRun(
    hard,
    [entrant],
    { ...options, shortcut: false, deadline: Number.POSITIVE_INFINITY },
    new Progress(),
  );
  for (const round of [0, 1]) await run.measureRound(round);
  expect(order).toEqual(['plain', 'hard', 'hard', 'plain']);
  expect(run.result.results[0]?.rounds).toEqual(Array(2).fill({ jobsPerSecond: 5, plain: 8 }));
});
