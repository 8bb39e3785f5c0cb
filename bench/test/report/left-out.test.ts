import { describe, expect, it } from 'vitest';
import { isComplete, readOptions } from '../../src/cli-options.js';
import { leftOut } from '../../src/left-out.js';
import { SCENARIOS } from '../../src/scenarios/all.js';

const ALL = SCENARIOS.map(({ id }) => id);

describe('a run', () => {
  it('is complete where nothing shortens it, wherever it is written to', () => {
    for (const args of [[], ['--out', 'anywhere'], ['--profile', 'anywhere'], ['--minutes', '90']]) {
      expect(isComplete(readOptions(args))).toBe(true);
      expect(leftOut(readOptions(args), { ran: ALL, timeWasUp: false })).toEqual([]);
    }
  });

  it.each([
    [['--quick'], '--quick'],
    [['--shortcut'], 'all systems but Monque in many-names'],
    [['--rounds', '2'], 'rounds: 2 of every scenario'],
    [['--scale', '0.1'], 'jobs: 0.1 times'],
    [['--contenders', 'monque,bullmq'], 'the systems monque-sqlite'],
    // As often as there are systems, and yet not all of them.
    [['--contenders', Array(8).fill('monque').join(',')], 'the systems monque-sqlite'],
  ])('is not complete with %j, and says so', (args, text) => {
    expect(isComplete(readOptions(args))).toBe(false);
    expect(leftOut(readOptions(args), { ran: ALL, timeWasUp: false }).join('; ')).toContain(text);
  });

  it('says that its time was up, where it was', () => {
    expect(leftOut(readOptions(['--minutes', '30']), { ran: ALL, timeWasUp: true })).toEqual([
      'whatever had not begun after 30 minutes',
    ]);
  });

  it('names the scenarios that it did not run', () => {
    const ran = { ran: ['throughput'], timeWasUp: false };
    expect(leftOut(readOptions(['--only', 'throughput']), ran)[0]).toMatch(
      /^the scenarios two-processes, .*memory$/,
    );
  });
});
