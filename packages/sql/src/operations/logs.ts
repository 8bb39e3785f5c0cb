import { type JobLogEntry, MAX_LOG_ENTRIES, type NewLogEntry } from '@monque/core';
import { sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { parseTime } from '../rows/times.js';

/** Adds entries to the logs of jobs that exist, and removes the oldest of logs that have grown too long. */
export function* appendLogs(context: SqlContext, entries: readonly NewLogEntry<string>[]): Operation<void> {
  const { dialect } = context;
  const ids = [...new Set(entries.map(({ jobId }) => jobId))];
  // Nobody would ever remove the log of a job that is gone.
  const { rows } = yield* ask(
    dialect.builder.selectFrom('Jobs').select('Id').where(dialect.oneOf('Id', ids)).compile(),
  );
  const existing = new Set(rows.map(([id]) => id));
  const lines = entries.filter(({ jobId }) => existing.has(jobId));
  if (lines.length === 0) return;
  for (let start = 0; start < lines.length; start += MAX_LOG_ENTRIES) {
    const values = lines
      .slice(start, start + MAX_LOG_ENTRIES)
      .map(({ jobId, at, attempt, level, text, stack }) => ({
        JobId: jobId,
        At: dialect.toTime(at),
        Attempt: attempt,
        Level: level,
        Text: text,
        Stack: stack ?? null,
      }));
    // The database gives each line its number.
    yield* ask(
      dialect.builder
        .insertInto('JobLogs')
        .values(values as never)
        .compile(),
    );
  }
  const { rows: overlong } = yield* ask(
    dialect.builder
      .selectFrom('JobLogs')
      .select('JobId')
      .where(dialect.oneOf('JobId', ids))
      .groupBy('JobId')
      .having((log) => log.fn.countAll(), '>', MAX_LOG_ENTRIES)
      .compile(),
  );
  for (const [id] of overlong) yield* trim(context, String(id));
}

/** Removes the lines beyond the latest. Index: IX_JobLogs_JobId. */
function* trim({ dialect }: SqlContext, id: string): Operation<void> {
  const { rows } = yield* ask(
    dialect.builder
      .selectFrom('JobLogs')
      .select('Id')
      .where('JobId', '=', id)
      .orderBy('Id', 'desc')
      .limit(1)
      .offset(MAX_LOG_ENTRIES)
      .compile(),
  );
  const newestTooMany = rows[0]?.[0];
  if (newestTooMany === undefined) return;
  yield* ask(
    dialect.builder
      .deleteFrom('JobLogs')
      .where('JobId', '=', id)
      .where('Id', '<=', Number(newestTooMany))
      .compile(),
  );
}

/** The log of a job, oldest first. Index: IX_JobLogs_JobId. */
export function* readLogs({ dialect }: SqlContext, id: string): Operation<JobLogEntry[]> {
  const { rows } = yield* ask(
    dialect.builder
      .selectFrom('JobLogs')
      .select([dialect.asText(sql.ref('At')).as('At'), 'Attempt', 'Level', 'Text', 'Stack'])
      .where('JobId', '=', id)
      .orderBy('Id')
      .compile(),
  );
  return rows.map(([at, attempt, level, text, stack]) => ({
    at: parseTime(at) ?? new Date(0),
    attempt: Number(attempt),
    level: level === 'error' ? 'error' : 'info',
    text: String(text),
    ...(stack === null ? {} : { stack: String(stack) }),
  }));
}
