import { describe, expect, it } from 'vitest';
import type { WorkReport } from '../../src/child/commands.js';
import { Tally } from '../../src/child/tally.js';
import { checkHandledOnce } from '../../src/measure/handled-once.js';

/** The report of a process that handled these jobs out of twenty. */
function reportOf(handled: readonly number[]): WorkReport {
  const tally = new Tally(20);
  for (const n of handled) void tally.handle({ n });
  const { repeats, seen, marks, latencies } = tally;
  return {
    startedAt: 0,
    storedAt: 1,
    handled: tally.handled,
    repeats,
    seen,
    marks,
    latencies,
    cpu: 0,
    peakRss: 0,
  };
}

const ALL = Array.from({ length: 20 }, (_, n) => n);

describe('checkHandledOnce', () => {
  it('accepts processes that have shared all jobs', () => {
    expect(() => checkHandledOnce([reportOf(ALL.slice(0, 7)), reportOf(ALL.slice(7))], 20)).not.toThrow();
  });

  it('refuses a run that lost a job', () => {
    expect(() => checkHandledOnce([reportOf(ALL.slice(1))], 20)).toThrow('1 were not handled and 0');
  });

  it('refuses a job that ran in two processes', () => {
    expect(() => checkHandledOnce([reportOf(ALL), reportOf([3, 9])], 20)).toThrow('0 were not handled and 2');
  });

  it('refuses a job that ran twice in one process', () => {
    expect(() => checkHandledOnce([reportOf([...ALL, 5])], 20)).toThrow('1 were handled again');
  });
});
