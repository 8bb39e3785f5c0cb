import { claimedColumns } from '../claim/claimed-job.js';
import { postgresGrammar } from '../schema/grammar/postgres.js';
import { CLAIMABLE_STATES } from '../schema/indexes.js';

/**
 * What is asked about waiting jobs. Each part is a range of IX_Monque_Jobs_Due, which holds those alone, and needs no
 * sort. The condition and the collation are the index's own: others would keep the planner from using it. Statements
 * are made so that a planner that knows nothing of the table yet has no other choice either.
 */
const waiting = (name: string) =>
  `FROM "Jobs" WHERE "State" IN (${CLAIMABLE_STATES}) AND "TypeName" COLLATE "C" = ${name}`;

/** In the order of the index; that a priority is null does not tell the planner that it is the same everywhere. */
const BY_TIME = 'ORDER BY "Priority", "ScheduledAt"';

const LISTS = 'unnest($1::text[], $2::int[], $3::text[])';

/** The wanted texts, how many of each, and the name that each stands for. */
const WANTS = `${LISTS} AS want("text", "limit", "name")`;

/** The wanted texts alone. */
const TEXTS = 'unnest($1::text[])';

/** The highest priority of a text's waiting jobs. */
const highestRank = (text: string) => `(SELECT max("Priority") ${waiting(text)})`;

const pack = (columns: readonly string[]) => {
  const list = columns.join(', ');
  return `CASE WHEN num_nonnulls(${list}) > 0 THEN json_build_array(${list})::text END`;
};

/** The server's time to the millisecond, as a query of its own, which is run once and not for every row. */
const STAMP = `(SELECT date_trunc('milliseconds', clock_timestamp()))`;

/**
 * What a claim writes to the rows that it has locked, by their places in the table, and what it answers of them. Values
 * 5 to 7 are the owner, the token and the heartbeat.
 */
const TAKE = `UPDATE "Jobs" SET "State" = 2, "ClaimedBy" = $5, "ClaimToken" = $6, "HeartbeatInterval" = $7,
  "LockedAt" = ${STAMP}, "LastHeartbeat" = ${STAMP}, "UpdatedAt" = ${STAMP}
WHERE ctid = ANY(ARRAY(SELECT due."ctid" FROM due)) RETURNING ${claimedColumns(postgresGrammar.quote, pack)}`;

/**
 * Takes due jobs of names none of which has a waiting job with a priority, nearly always all there are. Other claims
 * lock other rows, and none waits for another. Value 4 is now.
 */
const claimPlain = (wants: string, texts: string, from = '') => `WITH due AS MATERIALIZED (
  SELECT job."ctid" FROM ${wants} CROSS JOIN LATERAL (
    SELECT ctid ${waiting('want."text"')} AND "Priority" IS NULL AND "ScheduledAt" <= $4::timestamptz${from}
    ${BY_TIME} LIMIT want."limit" FOR UPDATE SKIP LOCKED
  ) AS job
  WHERE NOT EXISTS (SELECT 1 FROM ${texts} AS any_of("text") WHERE ${highestRank('any_of."text"')} IS NOT NULL)
)
${TAKE}`;

/**
 * Beginning at the time of value 8. A planner that does not see the values takes so short a range for a reason to go by
 * JobSharp's own `IX_Jobs_ScheduledAt`, and to sort: this one cannot be kept prepared.
 */
export const CLAIM_PLAIN_FROM = claimPlain(WANTS, TEXTS, ' AND "ScheduledAt" >= $8::timestamptz');

/**
 * In a form whose plan the server keeps: planning takes longer than a claim of one job. It keeps a plan that looks no
 * dearer without the values than with them. Of a list it expects ten elements then, and of one behind a limit that it
 * does not know a tenth of them.
 */
const CLAIM_KEPT = claimPlain(
  `(SELECT * FROM ${LISTS} LIMIT cardinality($1::text[])) AS want("text", "limit", "name")`,
  `(SELECT * FROM ${TEXTS} LIMIT cardinality($1::text[]))`,
);

/** Size of the table from which on the server goes by places: 64 pages. It does so from about 40 on. */
export const LARGE_BYTES = 524_288;

const TABLE_BYTES = `pg_relation_size('"Jobs"')`;

/**
 * The claim for a table of less than {@link LARGE_BYTES}, of which the server would rather read all pages, and would go
 * on with that when there are many. So it answers how large the table is, behind what it answers of each job.
 */
export const CLAIM_FROM_SMALL = `${CLAIM_KEPT}, (SELECT ${TABLE_BYTES})`;

/**
 * The claim for a larger table.
 *
 * @param times - How often the table has become large: a plan of an earlier time may be one for a small table, made when
 *   that was vacuumed.
 */
export const claimFromLarge = (times: number) => `${CLAIM_KEPT} /* ${times} */`;

/** The priorities of waiting jobs, from the highest to the lowest, one key of the index for each. */
const ranksOf = (texts: string) => `ranks("text", "rank") AS (
  SELECT "text", ${highestRank('"text"')} FROM unnest(${texts}::text[]) AS of_text("text")
  UNION ALL
  SELECT "text", (SELECT max("Priority") ${waiting('ranks."text"')} AND "Priority" < ranks."rank")
  FROM ranks WHERE "rank" IS NOT NULL
)`;

/** Due jobs of one text and priority, the earliest first. */
const dueOf = (source: string, columns: string, limit: string, lock: string) => `(
    SELECT * FROM (
      SELECT ${columns} ${waiting(`${source}."text"`)} AND "Priority" = ${source}."rank"
        AND "ScheduledAt" <= $4::timestamptz
      ${BY_TIME} LIMIT ${limit} ${lock}
    ) AS ranked
    UNION ALL
    SELECT * FROM (
      SELECT ${columns} ${waiting(`${source}."text"`)} AND "Priority" IS NULL AND ${source}."rank" IS NULL
        AND "ScheduledAt" <= $4::timestamptz
      ${BY_TIME} LIMIT ${limit} ${lock}
    ) AS plain
  )`;

/**
 * Takes due jobs where priorities count, or where the names may take less together than each by itself. A look without
 * locks decides how many of each text and priority are the most urgent; then as many are locked and taken. Value 8 is
 * how many in all, value 9 the texts that have priorities.
 *
 * Of each text and priority it looks at no more jobs than value 10 says. Where all that it saw of one are among the most
 * urgent, there may be more of them: then it takes nothing.
 */
export const CLAIM_RANKED = `WITH RECURSIVE ${ranksOf('$9')}, groups AS (
  SELECT want.*, ranks."rank" FROM ${WANTS} JOIN ranks USING ("text") WHERE ranks."rank" IS NOT NULL
  UNION ALL
  SELECT want.*, NULL::int FROM ${WANTS}
), seen AS (
  SELECT groups.*, job."at", row_number() OVER (
    PARTITION BY groups."name" ORDER BY COALESCE(groups."rank", 0) DESC, job."at"
  ) AS "place"
  FROM groups CROSS JOIN LATERAL ${dueOf('groups', '"ScheduledAt" AS "at"', 'LEAST(groups."limit", $10::int)', '')} AS job
), share AS (
  SELECT "text", "rank", count(*) AS "limit" FROM (
    SELECT * FROM seen WHERE "place" <= "limit" ORDER BY COALESCE("rank", 0) DESC, "at" LIMIT $8::int
  ) AS chosen GROUP BY "text", "rank"
), due AS MATERIALIZED (
  SELECT job."ctid" FROM share CROSS JOIN LATERAL ${dueOf('share', 'ctid', 'share."limit"', 'FOR UPDATE SKIP LOCKED')} AS job
  WHERE NOT EXISTS (SELECT 1 FROM share AS whole WHERE whole."limit" >= $10::int)
)
${TAKE}`;

/** The first job of each text of value 1 that has no priority and is due by value 2, locked or not. */
const PLAIN_DUE = `unnest($1::text[]) AS want("text") CROSS JOIN LATERAL (
    SELECT 1 ${waiting('want."text"')} AND "Priority" IS NULL AND "ScheduledAt" <= $2::timestamptz ${BY_TIME} LIMIT 1
  ) AS job`;

/**
 * Gives a due time to jobs of others that have none, which are due at once: when they were stored, and not later than
 * now. Such rows have no priority. Value 3 are further texts for this alone. Answers how many there were, whether a plain
 * job is due by value 2, locked or not, which texts have waiting jobs with a priority, and how large the table is.
 */
export const LOOK_AROUND = `WITH ordered AS (
  UPDATE "Jobs" SET "ScheduledAt" = LEAST("CreatedAt", ${STAMP})
  WHERE ctid = ANY(ARRAY(
    SELECT job."ctid" FROM unnest($1::text[] || $3::text[]) AS want("text") CROSS JOIN LATERAL (
      SELECT ctid ${waiting('want."text"')} AND "Priority" IS NULL AND "ScheduledAt" IS NULL
      ${BY_TIME} LIMIT 1000 FOR UPDATE SKIP LOCKED
    ) AS job
  )) RETURNING 1
)
SELECT (SELECT count(*) FROM ordered), (
  SELECT count(*) FROM ${PLAIN_DUE}
), "text", ${TABLE_BYTES} FROM (
  SELECT "text" FROM unnest($1::text[]) AS of_text("text") WHERE ${highestRank('"text"')} IS NOT NULL
  UNION ALL SELECT NULL
) AS texts`;

/**
 * Whether any job is due by value 2, with a priority or without, locked or not. Value 3 are the texts that have
 * priorities.
 */
export const IS_ANY_DUE = `WITH RECURSIVE ${ranksOf('$3')}
SELECT EXISTS (
  SELECT 1 FROM ${PLAIN_DUE}
) OR EXISTS (
  SELECT 1 FROM ranks CROSS JOIN LATERAL (
    SELECT 1 ${waiting('ranks."text"')} AND "Priority" = ranks."rank" AND "ScheduledAt" <= $2::timestamptz
    ${BY_TIME} LIMIT 1
  ) AS job
)`;

/** When the next job without a priority becomes due, later than value 2; and which texts have others. */
export const NEXT_PLAIN = `SELECT (
  SELECT min(job."at") FROM unnest($1::text[]) AS want("text") CROSS JOIN LATERAL (
    SELECT "ScheduledAt" AS "at" ${waiting('want."text"')} AND "Priority" IS NULL AND "ScheduledAt" > $2::timestamptz
    ${BY_TIME} LIMIT 1
  ) AS job
), "text" FROM (
  SELECT "text" FROM unnest($1::text[]) AS of_text("text") WHERE ${highestRank('"text"')} IS NOT NULL
  UNION ALL SELECT NULL
) AS texts`;

/** When the next job with a priority becomes due; one key of the index for each priority. */
export const NEXT_RANKED = `WITH RECURSIVE ${ranksOf('$1')}
SELECT min(job."at") FROM ranks CROSS JOIN LATERAL (
  SELECT "ScheduledAt" AS "at" ${waiting('ranks."text"')} AND "Priority" = ranks."rank" AND "ScheduledAt" > $2::timestamptz
  ${BY_TIME} LIMIT 1
) AS job`;

/** The first text of waiting jobs between two others. */
export const NEXT_TEXT = `SELECT "TypeName" FROM "Jobs" WHERE "State" IN (${CLAIMABLE_STATES})
  AND "TypeName" COLLATE "C" > $1 AND "TypeName" COLLATE "C" < $2 ORDER BY "TypeName" COLLATE "C" LIMIT 1`;
