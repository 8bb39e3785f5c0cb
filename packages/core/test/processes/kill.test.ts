import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';
import { readLedger, saidBy, startWorkers } from './worker-process.js';

const JOBS = 15;

const database = testDatabase();

test('the jobs of a process that is killed are finished by those that live, without a restart', async () => {
  const workers = await startWorkers(3, database, { lockTimeout: 1_500, workerConcurrency: JOBS / 3 });
  const [victim, ...survivors] = workers;
  await using monque = new Monque(database.db, { statsCacheTtlMs: 0 });
  await monque.initialize();
  await monque.enqueueMany(Array.from({ length: JOBS }, () => ({ name: 'hold', data: {} })));
  await vi.waitFor(() => expect(saidBy(workers, 'started')).toHaveLength(JOBS), 10_000);

  victim!.kill('SIGKILL');
  await victim!.exited;
  const orphans = saidBy([victim!], 'started').map(({ id }) => id);
  expect(orphans).toHaveLength(JOBS / 3);
  for (const survivor of survivors) survivor.send('finish');
  await vi.waitFor(async () => expect(await monque.getQueueStats()).toMatchObject({ completed: JOBS }), {
    timeout: 15_000,
    interval: 50,
  });

  // Those of the dead process were begun twice, all others once.
  const begun = (await readLedger(database)).map(({ job }) => String(job));
  expect(begun.toSorted()).toEqual([...new Set(begun), ...orphans].toSorted());
  expect(saidBy(survivors, 'recovered').reduce((sum, { count }) => sum + count, 0)).toBe(orphans.length);
  expect(saidBy(workers, 'error')).toEqual([]);
}, 40_000);
