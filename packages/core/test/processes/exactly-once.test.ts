import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';
import { readLedger, saidBy, startWorkers } from './worker-process.js';

const JOBS = 10_000;
const CHUNK = 2_000;

const database = testDatabase();

test('three processes handle each of 10,000 jobs exactly once, and all of them take part', async () => {
  const workers = await startWorkers(3, database, { workerConcurrency: 20 });
  await using monque = new Monque(database.db, { statsCacheTtlMs: 0 });
  await monque.initialize();
  for (let first = 0; first < JOBS; first += CHUNK) {
    await monque.enqueueMany(
      Array.from({ length: CHUNK }, (_, index) => ({ name: 'note', data: { number: first + index } })),
    );
  }
  await vi.waitFor(async () => expect(await monque.getQueueStats()).toMatchObject({ completed: JOBS }), {
    timeout: 60_000,
    interval: 100,
  });

  const ledger = await readLedger(database);
  expect(ledger).toHaveLength(JOBS);
  expect(new Set(ledger.map(({ job }) => String(job))).size).toBe(JOBS);
  expect(new Set(ledger.map(({ pid }) => pid))).toEqual(new Set(workers.map(({ pid }) => pid)));
  expect(await monque.getQueueStats()).toMatchObject({ pending: 0, processing: 0, failed: 0, total: JOBS });
  expect(saidBy(workers, 'error')).toEqual([]);
  expect(saidBy(workers, 'failed')).toEqual([]);
}, 90_000);
