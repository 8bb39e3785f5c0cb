import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';
import { readLedger, saidBy, startWorkers } from './worker-process.js';

const RUNNING = 5;
const QUICK = 200;
const SLOW = 50;

const database = testDatabase();

test('a process that is asked to stop finishes its jobs, and leaves none in processing', async () => {
  const workers = await startWorkers(1, database, { workerConcurrency: RUNNING });
  await using monque = new Monque(database.db, { statsCacheTtlMs: 0 });
  await monque.initialize();
  // Quick ones first: from them the process learns to fetch ahead, and then holds slow ones that it has not begun.
  await monque.enqueueMany(Array.from({ length: QUICK }, () => ({ name: 'hold', data: { ms: 0 } })));
  await monque.enqueueMany(Array.from({ length: SLOW }, () => ({ name: 'hold', data: { ms: 700 } })));
  await vi.waitFor(() => expect(saidBy(workers, 'started').length).toBeGreaterThan(QUICK), {
    timeout: 10_000,
    interval: 5,
  });

  workers[0]!.kill('SIGTERM');
  expect(await workers[0]!.exited).toEqual({ code: 0, signal: null });

  const jobs = await database.db.collection('monque_jobs').find().toArray();
  expect(jobs.filter(({ status }) => status === 'processing')).toEqual([]);
  const ended = jobs.filter(({ status }) => status === 'completed').map(({ _id }) => String(_id));
  const begun = (await readLedger(database)).map(({ job }) => String(job));
  expect(ended.toSorted()).toEqual(begun.toSorted());
  // What it had claimed and not begun is as it was.
  const untouched = jobs.filter(({ status }) => status === 'pending');
  expect(untouched.length).toBeGreaterThanOrEqual(SLOW - RUNNING);
  for (const job of untouched) {
    expect(job.failCount).toBe(0);
    expect(job).not.toHaveProperty('claimedBy');
  }
  expect(saidBy(workers, 'error')).toEqual([]);
}, 40_000);
