import { describe, expect, it } from 'vitest';
import { type Figure, spreadOfFigure, spreadOfRatio } from '../../src/report/ratios.js';
import type { ScenarioResult } from '../../src/run/results.js';
import { throughput } from '../../src/scenarios/throughput.js';

const OURS: Figure = { scenario: 'throughput', contender: 'monque' };
const PEER: Figure = { scenario: 'throughput', contender: 'peer' };

function results(ours: readonly (number | undefined)[], peer: readonly (number | undefined)[]) {
  const result = (contender: string, figures: readonly (number | undefined)[]) => ({
    contender,
    rounds: figures.map((jobsPerSecond) => ({ jobsPerSecond })),
    spread: {},
  });
  const scenario: ScenarioResult = { ...throughput, results: [result('monque', ours), result('peer', peer)] };
  return { scenarios: [scenario] };
}

describe('ratios', () => {
  it('are taken within each round, so that a slow one is slow for both sides', () => {
    const found = spreadOfRatio(results([20, 200, 210], [10, 100, 70]), OURS, PEER);
    expect(found).toEqual({ median: 2, min: 2, max: 3 });
  });

  it('leave out rounds that one side lacks', () => {
    const found = spreadOfRatio(results([200, 900, 900], [100, undefined]), OURS, PEER);
    expect(found).toEqual({ median: 2, min: 2, max: 2 });
  });

  it('are none where no round has both, or the other side is nothing', () => {
    expect(spreadOfRatio(results([], [100]), OURS, PEER)).toBeUndefined();
    expect(spreadOfRatio(results([200], [0]), OURS, PEER)).toBeUndefined();
  });

  it('go with figures over all rounds', () => {
    expect(spreadOfFigure(results([1, 3, 2], []), OURS)).toEqual({ median: 2, min: 1, max: 3 });
    expect(spreadOfFigure(results([1], []), { ...OURS, metric: 'cpu' })).toBeUndefined();
  });
});
