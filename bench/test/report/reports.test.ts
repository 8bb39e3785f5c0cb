import { describe, expect, it } from 'vitest';
import { markdownReport } from '../../src/report/markdown.js';
import { pageReport } from '../../src/report/page.js';
import { judgeTargets } from '../../src/report/targets.js';
import type { BenchResults, ContenderResult } from '../../src/run/results.js';
import { throughput } from '../../src/scenarios/throughput.js';

function result(contender: string, median: number): ContenderResult {
  const spread = { jobsPerSecond: { median, min: median, max: median } };
  return { contender, rounds: [{ jobsPerSecond: median }], spread };
}

function contender(id: string, title: string): BenchResults['contenders'][number] {
  return { id, title, version: '1.2.3', settings: ['as <given>'] };
}

const RESULTS: BenchResults = {
  madeAt: '2026-01-01T00:00:00.000Z',
  kind: 'full',
  minutes: 1,
  machine: { processor: 'any' },
  servers: ['MongoDB'],
  contenders: [contender('monque', 'Monque'), contender('agenda', 'Agenda'), contender('bullmq', 'BullMQ')],
  scenarios: [
    { ...throughput, results: [result('monque', 12_000), result('agenda', 400), result('bullmq', 15_000)] },
  ],
};

describe('the reports', () => {
  it('state how Monque stands to each system', () => {
    expect(markdownReport(RESULTS)).toContain('| Agenda | 400 | – | 30× |');
    expect(markdownReport(RESULTS)).toContain('| BullMQ | 15,000 | – | 0.8× |');
  });

  it('judge the targets for which there are figures, and no others', () => {
    expect(judgeTargets(RESULTS)).toEqual([
      { title: 'throughput to Agenda', wanted: 'at least 20×', found: '30×', met: true },
      { title: 'throughput to BullMQ (the aim)', wanted: 'at least 1×', found: '0.8×', met: false },
    ]);
  });

  it('judge nothing by a trial', () => {
    expect(judgeTargets({ ...RESULTS, kind: 'trial' })).toEqual([]);
  });

  it('escape what they put into the page, which loads nothing from elsewhere', () => {
    const page = pageReport(RESULTS);
    expect(page).toContain('as &lt;given&gt;');
    expect(page).not.toMatch(/<script|src=|href="http/);
  });
});
