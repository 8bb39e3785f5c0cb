import { type Expression, sql } from 'kysely';
import { builders } from '../builders.js';
import type { Dialect } from '../dialect.js';
import { JOB_COLUMNS } from '../rows/job-row.js';
import { toSqliteTime } from '../rows/times.js';
import { sqliteGrammar } from '../schema/grammar/sqlite.js';
import { ACTIVE_STATES, waitingJobs } from '../schema/indexes.js';

/** How our own times look, in which text order is time order. */
const ORDERED = '????-??-?? ??:??:??.???+00:00';

const IS_WAITING = waitingJobs(sqliteGrammar.quote);

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
  // Without statistics, SQLite thinks that hardly any job is active, and would rather look at all of them.
  holdsOneOf: (hashes): Expression<boolean> =>
    sql<boolean>`"Jobs".rowid in (select rowid from "Jobs" indexed by "IX_Monque_Jobs_ActiveKey" where "KeyHash" in (select value from json_each(${JSON.stringify(hashes)})) and "State" in (${sql.raw(ACTIVE_STATES)}))`,
  isHolder:
    sql<boolean>`"Holder"."KeyHash" = "Jobs"."KeyHash" and "Holder"."State" in (${sql.raw(ACTIVE_STATES)})` as Expression<boolean>,
  conflictsLock: false,
  locksRows: false,
  // Left to itself, SQLite reads all of IX_Jobs_State.
  anyWaiting: `SELECT 1 FROM "Jobs" INDEXED BY "IX_Monque_Jobs_Waiting" WHERE ${IS_WAITING} LIMIT 1`,
  isWaiting: sql<boolean>`${sql.raw(IS_WAITING)}` as Expression<boolean>,
};
