import { ConnectionError, Monque } from '@monque/core';
import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import { expect, test, vi } from 'vitest';

const { url, pool } = postgresDatabase();

test('a connection that breaks in the middle of a transaction fails the call, and nothing else', async () => {
  await using monque = new Monque(postgres(url));
  await monque.initialize();
  const { _id } = await monque.enqueue('greet', {}, { delay: 60_000 });

  const blocker = await pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT 1 FROM "Jobs" WHERE "Id" = $1 FOR UPDATE', [_id]);
  const cancelled = monque.cancelJob(_id).catch((error: unknown) => error);
  // The transaction waits for the row: now its connection goes away.
  await vi.waitFor(
    async () => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    },
    { timeout: 15_000, interval: 20 },
  );
  expect(await cancelled).toBeInstanceOf(ConnectionError);
  await blocker.query('ROLLBACK');
  blocker.release();

  expect(await monque.cancelJob(_id)).toMatchObject({ status: 'cancelled' });
});
