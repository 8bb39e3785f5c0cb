import { Monque } from '@monque/core';
import { describe, expect, test, vi } from 'vitest';
import { openStore } from './fixtures/settings.js';
import { sharedDatabase } from './shared-database.js';
import { reportsOf, saidBy, startWorkers, toldBy } from './worker-process.js';

const JOBS = 10_000;
const CHUNK = 1_000;
const CONCURRENCY = 20;
const PROCESSES = 3;

describe.each(['sqlite', 'postgres', 'mariadb'] as const)('on %s', (dialect) => {
  const database = sharedDatabase(dialect);

  test('three processes handle each of 10,000 jobs exactly once, and all of them take part', {
    timeout: 240_000,
  }, async () => {
    const workers = await startWorkers(PROCESSES, database, { workerConcurrency: CONCURRENCY });
    await using monque = new Monque(openStore(database), { statsCacheTtlMs: 0 });
    await monque.initialize();
    const enqueued: string[] = [];
    const enqueue = async (count: number) => {
      const jobs = Array.from({ length: count }, (_, number) => ({ name: 'note', data: { number } }));
      enqueued.push(...(await monque.enqueueMany(jobs)).map(({ _id }) => _id));
    };

    // None ends before all have begun one, so that no process can take them all.
    await enqueue(CHUNK);
    await Promise.all(workers.map((worker) => toldBy(worker, 'begun')));
    for (const worker of workers) worker.send('go');
    while (enqueued.length < JOBS) await enqueue(CHUNK);
    await vi.waitFor(async () => expect(await monque.getQueueStats()).toMatchObject({ completed: JOBS }), {
      timeout: 180_000,
      interval: 200,
    });

    const handled = await reportsOf(workers);
    expect(handled.flat().toSorted()).toEqual(enqueued.toSorted());
    expect(handled.filter((ids) => ids.length === 0)).toEqual([]);
    expect(await monque.getQueueStats()).toMatchObject({
      pending: 0,
      processing: 0,
      failed: 0,
      total: JOBS,
    });
    expect(saidBy(workers, 'error')).toEqual([]);
    expect(saidBy(workers, 'failed')).toEqual([]);
  });
});
