import type { Mark, WorkReport } from '../child/commands.js';
import type { Size } from '../run/lab.js';
import { JOBS_PER_SECOND, type Scenario } from './scenario.js';
import { workOff } from './work-off.js';

const JOBS: Size = { quick: 100_000, full: 500_000 };
const MEGABYTE = 1024 * 1024;

export const sustained: Scenario = {
  id: 'sustained',
  title: 'Sustained: half a million jobs in a row',
  explanation:
    'One process works off 500,000 jobs. The last tenth is held against the first, and the resident memory at the end ' +
    'against that after a fifth.',
  metrics: [
    { id: 'lastToFirst', title: 'last tenth to first', unit: '', better: 'higher' },
    JOBS_PER_SECOND,
    { id: 'rssAtFifth', title: 'memory after a fifth', unit: 'MB', better: 'lower' },
    { id: 'rssAtEnd', title: 'memory at the end', unit: 'MB', better: 'lower' },
  ],
  rounds: { quick: 0, full: 1 },
  heavy: true,
  async measure(lab) {
    const jobs = lab.count(JOBS);
    const { jobsPerSecond, reports } = await workOff(lab, { jobs });
    const marks = reports[0]?.marks ?? [];
    return {
      jobsPerSecond,
      lastToFirst: rate(marks, 0.9, 1) / rate(marks, 0, 0.1),
      rssAtFifth: markAt(marks, 0.2).rss / MEGABYTE,
      rssAtEnd: markAt(marks, 1).rss / MEGABYTE,
    };
  },
};

/** Jobs per millisecond between two shares of the run; the first mark stands for its start, which warms up. */
function rate(marks: WorkReport['marks'], from: number, to: number): number {
  const [first, last] = [markAt(marks, from), markAt(marks, to)];
  return (last.handled - first.handled) / (last.at - first.at);
}

function markAt(marks: WorkReport['marks'], share: number): Mark {
  const mark = marks[Math.max(0, Math.round(share * marks.length) - 1)];
  if (mark === undefined) throw new Error('The run was too short to be cut into tenths');
  return mark;
}
