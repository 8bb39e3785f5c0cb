import { type SqlBool, sql } from 'kysely';
import { builders } from '../builders.js';
import type { Dialect } from '../dialect.js';
import { JOB_COLUMNS, TIME_COLUMNS } from '../rows/job-row.js';
import { toMariadbTime } from '../rows/times.js';
import { ACTIVE_KEY_COLUMN, WAITING_STATES } from '../schema/indexes.js';

/** How MariaDB and MySQL differ. Times have no zone there and are UTC, whatever the session's time zone is. */
export const mariadbDialect: Dialect = {
  name: 'mariadb',
  builder: builders.mariadb,
  // Times as text: the driver would read them in a zone of its own.
  selection: JOB_COLUMNS.map((column) =>
    TIME_COLUMNS.has(column) ? sql<string>`cast(${sql.ref(column)} as char)`.as(column) : column,
  ),
  now: sql`utc_timestamp(3)`,
  ago: (milliseconds) => sql`utc_timestamp(6) - interval ${Math.round(milliseconds * 1_000)} microsecond`,
  toTime: toMariadbTime,
  typed: (_, value) => sql`${value}`,
  instant: (column) => sql.ref(column),
  asText: (time) => sql<string>`cast(${time} as char)`,
  later: (one, other) => sql`greatest(${one}, ${other})`,
  oneOf: (column, values) =>
    values.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`,
  childOf: (parents) => mariadbDialect.oneOf('ParentJobId', parents),
  // The generated column is null where the job is not active, and so says it all.
  holdsOneOf: (hashes) => mariadbDialect.oneOf(ACTIVE_KEY_COLUMN.name, hashes),
  isHolder: sql<SqlBool>`${sql.ref(`Holder.${ACTIVE_KEY_COLUMN.name}`)} = ${sql.ref('Jobs.KeyHash')}`,
  conflictsLock: true,
  locksRows: true,
  // By IX_Jobs_State, which is in order.
  anyWaiting: `SELECT 1 FROM \`Jobs\` WHERE \`State\` IN (${WAITING_STATES}) LIMIT 1`,
};
