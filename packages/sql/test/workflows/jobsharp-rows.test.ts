import { Monque } from '@monque/core';
import { sqlite } from '@monque/sql';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';

const database = new Database(':memory:');

/** Writes a row as JobSharp does, which knows none of our columns. */
function write(
  id: string,
  type: string,
  state: number,
  parent: string | null = null,
  batch: string | null = null,
) {
  database
    .prepare(
      `INSERT INTO Jobs (Id, TypeName, Arguments, State, CreatedAt, RetryCount, MaxRetryCount, ParentJobId, BatchId)
       VALUES (?, ?, '{}', ?, '2026-11-15 10:00:00+00:00', 0, 3, ?, ?)`,
    )
    .run(guid(id), type, state, parent === null ? null : guid(parent), batch);
}

const guid = (digit: string) => `00000000-0000-4000-8000-00000000000${digit}`;

function stateOf(id: string): unknown {
  return (database.prepare('SELECT State FROM Jobs WHERE Id = ?').get(guid(id)) as { State: number }).State;
}

test("JobSharp's continuations go on after their parents, and what nothing maps stays as it is", {
  timeout: 60_000,
}, async () => {
  const typeNames = { 'Shop.Charge': 'charge', 'Shop.Ship': 'ship' };
  await using monque = new Monque(sqlite({ database, typeNames }), {
    pollInterval: 200,
    safetyPollInterval: 200,
  });
  await monque.initialize();
  const ran: string[] = [];
  monque.register('charge', () => void ran.push('charge'));
  monque.register('ship', () => void ran.push('ship'));
  write('1', 'Shop.Charge, Shop, Version=1.0', 1);
  write('2', 'Shop.Ship, Shop, Version=1.0', 7, '1');
  write('3', 'Other.Audit, Other, Version=1.0', 7, '1');
  write('4', 'Shop.Ship, Shop, Version=1.0', 8, null, 'batch of JobSharp');
  monque.start();
  await vi.waitFor(() => expect(ran).toEqual(['charge', 'ship']), 30_000);
  // A bulk call looks at all that waits, and the stop waits for that.
  await monque.enqueue('doomed', {}, { hold: true });
  await monque.deleteJobs({ name: 'doomed' });
  await monque.stop();
  expect(['1', '2', '3', '4'].map(stateOf)).toEqual([3, 3, 7, 8]);
});
