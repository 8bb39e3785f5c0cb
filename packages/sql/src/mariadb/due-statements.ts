import { claimedColumns } from '../claim/claimed-job.js';
import { TIME_COLUMNS } from '../rows/job-row.js';
import type { NameCondition } from './name-condition.js';

const COLUMNS = claimedColumns(
  (name) => (TIME_COLUMNS.has(name) ? `CAST(\`${name}\` AS CHAR)` : `\`${name}\``),
  (columns) => {
    const all = columns.join(', ');
    return `CASE WHEN COALESCE(${all}) IS NOT NULL THEN JSON_ARRAY(${all}) END`;
  },
);

/**
 * Due jobs of a group, the earliest first. Other claims lock other rows, and none waits for another. Index:
 * IX_Monque_Jobs_Due.
 */
export const dueJobs = ({ sql }: NameCondition) => `SELECT ${COLUMNS}
FROM \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`)
WHERE \`State\` = ? AND ${sql} AND \`Priority\` <=> ? AND \`ScheduledAt\` <= ?
ORDER BY \`ScheduledAt\` LIMIT ? FOR UPDATE SKIP LOCKED`;

/** Takes jobs that are locked. Index: PK_Jobs. */
export const take = (ids: number) => `UPDATE \`Jobs\`
SET \`State\` = 2, \`ClaimedBy\` = ?, \`ClaimToken\` = ?, \`HeartbeatInterval\` = ?,
  \`LockedAt\` = UTC_TIMESTAMP(3), \`LastHeartbeat\` = UTC_TIMESTAMP(3), \`UpdatedAt\` = UTC_TIMESTAMP(3)
WHERE \`Id\` IN (${list(ids)})`;

/**
 * Gives a due time to jobs of others that have none, which are due at once: when they were stored, and not later than
 * now. Such rows have no priority. Index: IX_Monque_Jobs_Due.
 */
export const putInOrder = ({ sql }: NameCondition) => `UPDATE \`Jobs\` FORCE INDEX (\`IX_Monque_Jobs_Due\`)
SET \`ScheduledAt\` = LEAST(\`CreatedAt\`, UTC_TIMESTAMP(3))
WHERE \`State\` = ? AND ${sql} AND \`Priority\` IS NULL AND \`ScheduledAt\` IS NULL`;

function list(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
