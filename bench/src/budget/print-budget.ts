import { columns } from '../report/terminal.js';
import { findMongodb } from '../servers/mongodb.js';
import { type Finding, judge, round, wordsOf } from './judge.js';
import { Meter } from './meter.js';
import { WORKLOADS } from './workloads/all.js';

/**
 * Counts all workloads and prints them beside their budgets; resolves with the exit code.
 *
 * @param databaseName - Of this run; removed at its end.
 */
export async function printBudget(databaseName: string): Promise<number> {
  const server = await findMongodb();
  try {
    console.log(server.description);
    await using meter = new Meter(server.uri, databaseName);
    const findings: Finding[] = [];
    for (const workload of WORKLOADS) findings.push(...judge(workload, await workload.measure(meter)));
    const head = ['workload', 'per', 'kind', 'counter', 'found', 'usual', 'at most', ''];
    console.log(columns({ head, rows: findings.map(rowOf) }));
    return findings.every(({ isKept }) => isKept) ? 0 : 1;
  } finally {
    await server.clear(databaseName);
    await server.stop();
  }
}

function rowOf({ workload, kind, counter, found, measured, most, isKept }: Finding): string[] {
  const figures = [found, measured, most].map((figure) => round(figure).toLocaleString('en-US'));
  return [workload.title, workload.unit, kind, wordsOf(counter), ...figures, isKept ? '' : 'BROKEN'];
}
