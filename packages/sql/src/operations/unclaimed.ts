import { type Expression, sql } from 'kysely';
import { JobState } from '../schema/columns.js';

/** Takes what a claim put on a row away again. */
export const UNCLAIMED = {
  LockedAt: null,
  ClaimedBy: null,
  LastHeartbeat: null,
  HeartbeatInterval: null,
  ClaimToken: null,
} as const;

/** The state in which a row waits, by its own count of failures. */
const WAITING_AGAIN = sql<number>`case when ${sql.ref('RetryCount')} > 0 then ${sql.lit(JobState.failed)} else ${sql.lit(JobState.scheduled)} end`;

/** A claimed row that waits again, as if nobody had taken it. */
export function givenBack(updatedAt: string | Expression<unknown>) {
  return { ...UNCLAIMED, State: WAITING_AGAIN, UpdatedAt: updatedAt };
}
