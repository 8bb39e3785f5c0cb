import { type Expression, sql } from 'kysely';
import { builders } from '../builders.js';
import type { Dialect } from '../dialect.js';
import { JOB_COLUMNS } from '../rows/job-row.js';
import { toSqliteTime } from '../rows/times.js';

/** How our own times look, in which text order is time order. */
const ORDERED = '????-??-?? ??:??:??.???+00:00';

/** How SQLite differs. Its clock is the host's, as it has no server; but it is asked all the same. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  builder: builders.sqlite,
  selection: JOB_COLUMNS,
  now: sql`strftime('%Y-%m-%d %H:%M:%f', 'now') || '+00:00'`,
  ago: (milliseconds) =>
    sql`strftime('%Y-%m-%d %H:%M:%f', 'now', ${`-${(milliseconds / 1_000).toFixed(3)} seconds`}) || '+00:00'`,
  toTime: toSqliteTime,
  typed: (_, value) => sql`${value}`,
  instant: (column) => {
    const time = sql.ref(column);
    return sql`case when ${time} glob ${sql.lit(ORDERED)} then ${time} else strftime('%Y-%m-%d %H:%M:%f', ${time}) || '+00:00' end`;
  },
  asText: (time) => sql<string>`cast(${time} as text)`,
  later: (one, other) => sql`max(${one}, ${other})`,
  oneOf: (column, values): Expression<boolean> =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
  // Where hardly any job has a parent, statistics make the index look worthless, and SQLite would read the whole table.
  childOf: (parents): Expression<boolean> =>
    sql<boolean>`"Jobs".rowid in (select rowid from "Jobs" indexed by "IX_Jobs_ParentJobId" where "ParentJobId" in (select value from json_each(${JSON.stringify(parents)})))`,
  conflictsLock: false,
  locksRows: false,
  // Left to itself, SQLite reads all of IX_Jobs_State.
  waitingJobs: sql`"Jobs" indexed by "IX_Monque_Jobs_Waiting"`,
};
