import { testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, it } from 'vitest';
import { sumCounts } from '../src/budget/counts.js';
import { explainBreach, judge } from '../src/budget/judge.js';
import { Meter } from '../src/budget/meter.js';
import { WORKLOADS } from '../src/budget/workloads/all.js';

/** Seconds where a machine is free; this is for one that is not. */
const TIMEOUT_MS = 60_000;

describe('What it costs the database', () => {
  const { uri, name } = testDatabase();

  it.each(WORKLOADS)('stays within the budget: $title', { timeout: TIMEOUT_MS }, async (workload) => {
    await using meter = new Meter(uri, name);
    const findings = judge(workload, await workload.measure(meter));
    expect(findings).not.toEqual([]);
    expect(findings.filter(({ isKept }) => !isKept).map(explainBreach)).toEqual([]);
  });
});

describe('The judgement', () => {
  const workload = { id: 'enqueue-many', title: 'enqueueMany of 1,000', unit: '1,000 jobs' } as const;
  const breaches = (counts: Parameters<typeof sumCounts>[0]) =>
    judge(workload, { tally: () => sumCounts(counts), units: 2 })
      .filter(({ isKept }) => !isKept)
      .map(explainBreach);

  it('names what has grown, per unit of the workload', () => {
    expect(breaches([{ commands: 10, documentsWritten: 2_000 }])).toEqual([
      'enqueueMany of 1,000, enqueue: 5 commands per 1,000 jobs, at most 1 allowed and 1 usual',
    ]);
  });

  it('is not content with operations that it did not see', () => {
    expect(breaches([{ commands: 2, documentsWritten: 1_000 }])).toEqual([
      'enqueueMany of 1,000, enqueue: 500 documents written per 1,000 jobs, which is too little: operations were not counted, or not recognised',
    ]);
  });
});
