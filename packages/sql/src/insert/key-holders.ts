import type { StoredJob } from '@monque/core';
import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { jobs } from '../operations/conditions.js';
import { readJobs, selectJobs } from '../operations/read-jobs.js';
import { ACTIVE_STATES, statesOf } from '../rows/job-states.js';
import { keyHash } from '../rows/key-hash.js';
import { JobState } from '../schema/columns.js';
import { NEW_COLUMNS, type NewRow } from './new-row.js';

/** The active jobs that hold the keys of these rows, by the hash of the key. Index: IX_Monque_Jobs_ActiveKey. */
export function* findHolders(
  context: SqlContext,
  rows: readonly NewRow[],
): Operation<Map<string, StoredJob<string>>> {
  const hashes = [...new Set(rows.flatMap(({ keyHash: hash }) => hash ?? []))];
  const holders = new Map<string, StoredJob<string>>();
  if (hashes.length === 0) return holders;
  const { dialect } = context;
  let query = selectJobs(context).where(dialect.oneOf('KeyHash', hashes)).where('State', 'in', ACTIVE_STATES);
  // What holds a key now is what counts.
  if (dialect.name === 'mariadb' && context.inUserTransaction)
    query = query.modifyEnd(sql`lock in share mode`);
  for (const job of yield* readJobs(context, query)) {
    holders.set(keyHash(job.name, job.uniqueKey ?? ''), job);
  }
  return holders;
}

/** Columns that a replaced job loses unless the new one brings them, with what earlier attempts left. */
const LEFT_BEHIND = { ErrorMessage: null, Progress: null, Result: null };
/** Columns that stay: its identity and age. The state is that of a job that has never failed. */
const KEPT: ReadonlySet<string> = new Set(['Id', 'TypeName', 'State', 'CreatedAt']);

/**
 * Puts a job into the place of the pending one that holds its key, which starts afresh. Answers false where none
 * does. Index: IX_Monque_Jobs_ActiveKey.
 */
export function* replaceHolder({ dialect, notices }: SqlContext, row: NewRow): Operation<boolean> {
  if (row.keyHash === undefined) return false;
  const given = Object.fromEntries(
    NEW_COLUMNS.map((column, place) => [column, row.values[place] ?? null] as const).filter(
      ([column]) => !KEPT.has(column),
    ),
  );
  const query = dialect.builder
    .updateTable('Jobs')
    .set({ ...given, ...LEFT_BEHIND, State: JobState.scheduled } as never)
    .where(jobs('KeyHash', '=', row.keyHash))
    .where('State', 'in', statesOf(['pending']));
  const { affected } = yield* ask(query.compile());
  if (affected === 0) return false;
  yield* notices.due(row.job.nextRunAt, row.job.name);
  return true;
}
