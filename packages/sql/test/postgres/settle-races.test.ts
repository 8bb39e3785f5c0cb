import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { closeStores, opening, PAST, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const { available, pool } = postgresDatabase();
const DEADLINE_MS = 10_000;

/** Resolves when somebody waits for a lock that another transaction of this database holds. */
async function untilSomebodyWaits(): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rowCount) return;
    if (performance.now() > deadline) throw new Error('Nobody waits');
  }
}

describe.skipIf(!available)('An outcome on PostgreSQL that meets another write to its row', () => {
  test.each([
    ['is stored where that was a heartbeat', `"LastHeartbeat" = now()`, true],
    ['is lost where that was a cancellation', `"State" = 5, "ClaimToken" = NULL, "ClaimedBy" = NULL`, false],
  ])('%s', async (_, assignment, isStored) => {
    const store = await opening(postgres(pool));
    await pool.query('DELETE FROM "Jobs"');
    await store.insert([toInsert(), toInsert()]);
    const { jobs } = await store.claim(await toClaim(store));
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query(`UPDATE "Jobs" SET ${assignment} WHERE "Id" = $1`, [jobs[0]?._id]);
    const settling = store.settle({
      at: await store.now(),
      items: jobs.map((job) => ({
        job,
        token: String(job.claimToken),
        startedAt: PAST,
        outcome: { type: 'completed' },
      })),
    });
    await untilSomebodyWaits();
    await other.query('COMMIT');
    other.release();
    expect((await settling).map(({ applied }) => applied)).toEqual([isStored, true]);
    const [first] = await store.get([String(jobs[0]?._id)]);
    expect(first?.status).toBe(isStored ? 'completed' : 'cancelled');
  });
});
