import { describe, expect, it } from 'vitest';
import { formatRatio } from '../../src/report/format.js';
import { markdownReport } from '../../src/report/markdown.js';
import { pageReport } from '../../src/report/page.js';
import { judgeTargets } from '../../src/report/targets.js';
import { terminalReport } from '../../src/report/terminal.js';
import type { BenchResults, ContenderResult } from '../../src/run/results.js';
import { latency } from '../../src/scenarios/latency.js';
import { manyNames } from '../../src/scenarios/many-names.js';
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
  leftOut: [],
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

  it('say in the head of a ratio where lower is better, and only there', () => {
    const scenario = { ...latency, results: [result('monque', 5), result('agenda', 10)] };
    for (const report of [markdownReport, terminalReport, pageReport]) {
      expect(report({ ...RESULTS, scenarios: [scenario] })).toContain(
        'Monque (MongoDB) to it: median (lower is better)',
      );
    }
    for (const report of [markdownReport, terminalReport])
      expect(report(RESULTS)).not.toContain('lower is better');
  });

  it('keep three digits of ratios, also below 1', () => {
    expect([0.996, 0.0123, 1.234, 123.4].map(formatRatio)).toEqual(['0.996×', '0.0123×', '1.23×', '123×']);
  });

  it('say what a shorter run left out', () => {
    const short: BenchResults = { ...RESULTS, kind: 'partial', leftOut: ['the scenarios idle, <memory>'] };
    const text = 'This was a partial run. Left out: the scenarios idle, <memory>.';
    expect(markdownReport(short)).toContain(text);
    expect(terminalReport(short)).toContain(text);
    expect(pageReport(short)).toContain('Left out: the scenarios idle, &lt;memory&gt;.');
    for (const report of [markdownReport, terminalReport, pageReport])
      expect(report(RESULTS)).not.toContain('Left out');
  });

  it('say once what holds for several systems', () => {
    const short = (id: string) => ({ ...result(id, 400), remark: 'the time was up' });
    const scenario = { ...throughput, results: [result('monque', 12_000), short('agenda'), short('bullmq')] };
    const text = markdownReport({ ...RESULTS, scenarios: [scenario] });
    expect(text).toContain('\n- Agenda, BullMQ: the time was up\n');
  });

  it('judge the targets for which there are figures, and no others', () => {
    expect(judgeTargets(RESULTS)).toEqual([
      { title: 'MongoDB: throughput to Agenda', wanted: 'at least 20×', found: '30×', met: true },
      { title: 'MongoDB: throughput to BullMQ (the aim)', wanted: 'at least 1×', found: '0.8×', met: false },
    ]);
  });

  it('hold a harder form of a scenario against its plain form in the same round, and not against any other figure', () => {
    const rounds = [
      { jobsPerSecond: 9_000, plain: 10_000 },
      { jobsPerSecond: 5_000, plain: 5_000 },
    ];
    const { plain, ...scenario } = manyNames;
    const names = {
      ...scenario,
      comparedWith: plain?.id ?? '',
      results: [{ ...result('monque', 9_000), rounds }],
    };
    const results: BenchResults = { ...RESULTS, scenarios: [...RESULTS.scenarios, names] };
    expect(judgeTargets(results).at(-1)).toEqual({
      title: 'MongoDB: many-names to plain throughput',
      wanted: 'at least 0.85×',
      found: '0.95× (0.9× – 1×)',
      met: true,
    });
    expect(markdownReport(results)).toContain('itself to throughput |');
    expect(markdownReport(results)).toContain('| 0.95× |');
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
