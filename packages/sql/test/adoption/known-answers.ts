import type { JobSharpRow } from './jobsharp-rows.js';

const DAY_MS = 86_400_000;

/** What the queries must answer, worked out from the rows themselves. */
export function knownAnswers(rows: readonly JobSharpRow[], now: number) {
  const inState = (...states: number[]) => rows.filter(({ State }) => states.includes(State));
  const olderThan = (days: number) => (row: JobSharpRow) => row.CreatedAt.getTime() < now - days * DAY_MS;
  const ready = inState(1).filter(({ ScheduledAt }) => ScheduledAt !== null && ScheduledAt.getTime() <= now);
  return {
    ready: ids(ready),
    batch: (batch: string) => ids(rows.filter(({ BatchId }) => BatchId === batch)),
    continuations: (parent: string) => ids(inState(7).filter(({ ParentJobId }) => ParentJobId === parent)),
    byState: countBy(rows, ({ State }) => State),
    byType: countBy(rows, ({ TypeName }) => TypeName),
    failedLately: inState(4, 6).filter((row) => !olderThan(1)(row)).length,
    removeSucceeded: inState(3).filter(olderThan(30)).length,
    removeAbandoned: inState(6).filter(olderThan(7)).length,
    reset: ids(inState(4).filter(({ RetryCount, MaxRetryCount }) => RetryCount < MaxRetryCount)),
    readyCount: ready.length,
    runningCount: inState(2).length,
    averageSeconds: mean(
      inState(3).flatMap(({ ScheduledAt, ExecutedAt }) =>
        ScheduledAt && ExecutedAt ? [(ExecutedAt.getTime() - ScheduledAt.getTime()) / 1_000] : [],
      ),
    ),
  };
}

function ids(rows: readonly JobSharpRow[]): string[] {
  return rows.map(({ Id }) => Id).toSorted();
}

function countBy<Key>(rows: readonly JobSharpRow[], key: (row: JobSharpRow) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return counts;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
