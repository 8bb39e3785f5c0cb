import type { StoredJob } from '@monque/core';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { SqlContext } from '../context.js';
import { ask, type Operation } from '../operation.js';
import { JOB_COLUMNS, toJob } from '../rows/job-row.js';
import type { JobRow, Tables } from '../schema/columns.js';

/** A query for jobs. */
type JobQuery = SelectQueryBuilder<Tables, 'Jobs', unknown>;

/**
 * A query for jobs, to which conditions and an order are added.
 *
 * @param light - Without the columns that may be large: what is read of these is null.
 */
export function selectJobs({ dialect }: SqlContext, light = false): JobQuery {
  const selection = light
    ? dialect.selection.map((column, place) => {
        const name = JOB_COLUMNS[place] as string;
        return LARGE.has(name) ? sql`null`.as(name) : column;
      })
    : dialect.selection;
  // The builder wants to know each column's type; rows are read by their place instead.
  return dialect.builder.selectFrom('Jobs').select(selection as never) as JobQuery;
}

const LARGE: ReadonlySet<string> = new Set<keyof JobRow>(['Arguments', 'Result', 'Progress']);

/** A job without the fields of those columns. */
export function withoutLarge({ data: _, result: _r, progress: _p, ...light }: StoredJob<string>) {
  return light as StoredJob<string>;
}

/** Reads the jobs that a query finds. */
export function* readJobs({ names }: SqlContext, query: JobQuery): Operation<StoredJob<string>[]> {
  const { rows } = yield* ask(query.compile());
  return rows.map((row) => toJob(row, names));
}

/** Reads jobs by id. Index: PK_Jobs. */
export function* get(context: SqlContext, ids: readonly string[]): Operation<StoredJob<string>[]> {
  return yield* readJobs(context, selectJobs(context).where(context.dialect.oneOf('Id', ids)));
}
