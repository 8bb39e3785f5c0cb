import type { StoredJob } from '@monque/core';
import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { selectJobs } from '../operations/read-jobs.js';
import { toJob } from '../rows/job-row.js';
import { statesOf } from '../rows/job-states.js';
import { JobState } from '../schema/columns.js';
import { NEW_COLUMNS, type NewRow } from './new-row.js';

/** The active jobs that hold the keys of these rows, by the hash of the key. Index: IX_Monque_Jobs_ActiveKey. */
export function* findHolders(
  context: SqlContext,
  rows: readonly NewRow[],
): Operation<Map<string, StoredJob<string>>> {
  const hashes = [...new Set(rows.flatMap(({ keyHash }) => keyHash ?? []))];
  const holders = new Map<string, StoredJob<string>>();
  if (hashes.length === 0) return holders;
  const { dialect } = context;
  // The hash as it is stored: under another mapping of type names the job was stored by another name than it has here.
  let query = selectJobs(context).select('KeyHash').where(dialect.holdsOneOf(hashes));
  // What holds a key now is what counts.
  if (dialect.name === 'mariadb' && context.inUserTransaction)
    query = query.modifyEnd(sql`lock in share mode`);
  const { rows: found } = yield* ask(query.compile());
  for (const row of found) holders.set(String(row.at(-1)), toJob(row, context.names));
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
    .where(dialect.holdsOneOf([row.keyHash]))
    .where('State', 'in', statesOf(['pending']));
  const { affected } = yield* ask(query.compile());
  if (affected === 0) return false;
  yield* notices.due(row.job.nextRunAt, row.job.name);
  return true;
}
