import { claimedColumns } from '../claim/claimed-job.js';
import { sqliteGrammar } from '../schema/grammar/sqlite.js';
import { CLAIMABLE_STATES, unorderedTimes } from '../schema/indexes.js';

/**
 * What is asked about waiting jobs. Each statement is a range of IX_Monque_Jobs_Due, which holds those alone, and
 * needs no sort. A condition that is not the index's own, word for word, would keep SQLite from using it.
 */
const WAITING = `FROM "Jobs" INDEXED BY "IX_Monque_Jobs_Due" WHERE "State" IN (${CLAIMABLE_STATES}) AND "TypeName" = ?`;

/** The highest priority of a text's waiting jobs; those without any do not count. */
export const HIGHEST_RANK = `SELECT "Priority" ${WAITING} AND "Priority" IS NOT NULL ORDER BY "Priority" DESC LIMIT 1`;

/** The next lower one. */
export const NEXT_RANK = `SELECT "Priority" ${WAITING} AND "Priority" < ? ORDER BY "Priority" DESC LIMIT 1`;

/** As texts, whatever others have put there: JSON knows neither bytes nor infinity. */
function pack(columns: readonly string[]): string {
  const texts = columns.map((column) => `CAST(${column} AS TEXT)`);
  return `CASE WHEN COALESCE(${columns.join(', ')}) IS NOT NULL THEN json_array(${texts.join(', ')}) END`;
}

/** What is read of due jobs; the place in the table comes last. */
const JOB = `SELECT ${claimedColumns(sqliteGrammar.quote, pack)}, rowid`;

/** Due jobs without a priority, nearly always all of them; the earliest first. */
export const DUE_PLAIN = `${JOB} ${WAITING} AND "Priority" IS NULL AND "ScheduledAt" <= ? ORDER BY "ScheduledAt" LIMIT ?`;

/** Due jobs of one priority. */
export const DUE_RANKED = `${JOB} ${WAITING} AND "Priority" = ? AND "ScheduledAt" <= ? ORDER BY "ScheduledAt" LIMIT ?`;

/** When the next job without a priority becomes due. */
export const NEXT_PLAIN = `SELECT "ScheduledAt" ${WAITING} AND "Priority" IS NULL AND "ScheduledAt" > ? ORDER BY "ScheduledAt" LIMIT 1`;

/** The same for one priority. */
export const NEXT_RANKED = `SELECT "ScheduledAt" ${WAITING} AND "Priority" = ? AND "ScheduledAt" > ? ORDER BY "ScheduledAt" LIMIT 1`;

/** The first text of waiting jobs between two others. */
export const NEXT_TEXT = `SELECT "TypeName" FROM "Jobs" INDEXED BY "IX_Monque_Jobs_Due" WHERE "State" IN (${CLAIMABLE_STATES}) AND "TypeName" > ? AND "TypeName" < ? ORDER BY "TypeName" LIMIT 1`;

const UNORDERED = `INDEXED BY "IX_Monque_Jobs_Unordered"`;
const IS_UNORDERED = unorderedTimes((name) => `"${name}"`);

/** Whether a text has waiting jobs of others that claims cannot see yet. Index: IX_Monque_Jobs_Unordered. */
export const ANY_UNORDERED = `SELECT 1 FROM "Jobs" ${UNORDERED} WHERE ${IS_UNORDERED} AND "TypeName" = ? LIMIT 1`;

/**
 * A time of others in our form: what is not null of these. SQLite knows `+02:00` and `Z` for an offset; what it does
 * not know may be `+02`, or `+0200`.
 */
function ordered(time: string): string {
  const forms = [
    time,
    `${time} || ':00'`,
    `substr(${time}, 1, length(${time}) - 2) || ':' || substr(${time}, -2)`,
  ];
  return forms.map((form) => `strftime('%Y-%m-%d %H:%M:%f', ${form})`).join(', ');
}

const NOW = `strftime('%Y-%m-%d %H:%M:%f', 'now')`;

/**
 * Gives them due times in order: their own in our form, or else at once: when they were stored, and not later than now.
 * Index: IX_Monque_Jobs_Unordered.
 */
export const PUT_IN_ORDER = `UPDATE "Jobs" ${UNORDERED} SET "ScheduledAt" = COALESCE(
  ${ordered('"ScheduledAt"')}, min(COALESCE(${ordered('"CreatedAt"')}, ${NOW}), ${NOW})) || '+00:00'
WHERE ${IS_UNORDERED} AND "TypeName" = ?`;
