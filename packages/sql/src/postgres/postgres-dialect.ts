import { type SqlBool, sql } from 'kysely';
import { builders } from '../builders.js';
import type { Dialect } from '../dialect.js';
import { JOB_COLUMNS, TIME_COLUMNS } from '../rows/job-row.js';
import { toPostgresTime } from '../rows/times.js';
import { postgresGrammar } from '../schema/grammar/postgres.js';
import { ACTIVE_STATES, waitingJobs } from '../schema/indexes.js';

const IS_WAITING = waitingJobs(postgresGrammar.quote);

/** How PostgreSQL differs. Times are kept to the millisecond, like those of every caller. */
export const postgresDialect: Dialect = {
  name: 'postgres',
  builder: builders.postgres,
  selection: JOB_COLUMNS,
  now: sql`date_trunc('milliseconds', clock_timestamp())`,
  ago: (milliseconds) =>
    sql`clock_timestamp() - cast(${milliseconds} as double precision) * interval '1 millisecond'`,
  toTime: toPostgresTime,
  typed: (column, value) => sql`cast(${value} as ${sql.raw(typeOf(column, value))})`,
  instant: (column) => sql.ref(column),
  asText: (time) => sql<string>`cast(${time} as text)`,
  later: (one, other) => sql`greatest(${one}, ${other})`,
  oneOf: (column, values) => sql<SqlBool>`${sql.ref(column)} = any(${values})`,
  childOf: (parents) => postgresDialect.oneOf('ParentJobId', parents),
  holdsOneOf: (hashes) => sql<SqlBool>`"KeyHash" = any(${hashes}) and "State" in (${sql.raw(ACTIVE_STATES)})`,
  // Were it a plain comparison, the planner might read all active jobs first, to look only at a few of them.
  isHolder: sql<SqlBool>`"Holder"."KeyHash" = any(array["Jobs"."KeyHash"]) and "Holder"."State" in (${sql.raw(ACTIVE_STATES)})`,
  conflictsLock: false,
  locksRows: true,
  // In the order of its index: where many wait, the planner would rather read the table until it meets the first.
  anyWaiting: `SELECT 1 FROM "Jobs" WHERE ${IS_WAITING} ORDER BY "Id" LIMIT 1`,
  isWaiting: sql<SqlBool>`${sql.raw(IS_WAITING)}`,
};

function typeOf(column: string, value: string | number | null): string {
  if (TIME_COLUMNS.has(column)) return 'timestamptz';
  return typeof value === 'number' ? 'integer' : 'text';
}
