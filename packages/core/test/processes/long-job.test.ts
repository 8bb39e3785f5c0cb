import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';
import { readLedger, saidBy, startWorkers } from './worker-process.js';

const LOCK_TIMEOUT = 1_000;

const database = testDatabase();

test('a job that runs for five times lockTimeout runs once, while other processes sweep', async () => {
  const workers = await startWorkers(3, database, { lockTimeout: LOCK_TIMEOUT });
  await using monque = new Monque(database.db);
  await monque.initialize();
  const { _id } = await monque.enqueue('hold', { ms: 5 * LOCK_TIMEOUT });
  const job = await monque.waitForJob(_id, { timeout: 15_000 });

  expect(job).toMatchObject({ status: 'completed', failCount: 0 });
  expect(job!.finishedAt!.getTime() - job!.executedAt!.getTime()).toBeGreaterThanOrEqual(
    5 * LOCK_TIMEOUT - 10,
  );
  expect(await readLedger(database)).toHaveLength(1);
  expect(saidBy(workers, 'recovered')).toEqual([]);
  expect(saidBy(workers, 'aborted')).toEqual([]);
  expect(saidBy(workers, 'error')).toEqual([]);
}, 40_000);
