import { Monque } from '@monque/core';
import { postgres } from '@monque/test-servers';
import { postgresDatabase } from '@monque/test-servers/vitest';
import { expect, test, vi } from 'vitest';
import { openStore } from './fixtures/settings.js';
import { reportsOf, startWorkers, toldBy } from './worker-process.js';

const JOBS = 3_000;
const LATER = 100;

// Where there is no PostgreSQL at all, none can be started either.
const { available } = postgresDatabase();

test.skipIf(!available)(
  'PostgreSQL crashes and comes back, a worker is killed meanwhile: nothing is lost, and the engine goes on by itself',
  { timeout: 400_000 },
  async () => {
    await using server = await postgres.start();
    const database = { dialect: 'postgres', address: server.url } as const;
    const workers = await startWorkers(3, database, { lockTimeout: 4_000, workerConcurrency: 20 });
    await using monque = new Monque(openStore(database), { statsCacheTtlMs: 0 });
    await monque.initialize();
    const jobs = await monque.enqueueMany(
      Array.from({ length: JOBS }, (_, number) => ({ name: 'note', data: { number } })),
    );
    await Promise.all(workers.map((worker) => toldBy(worker, 'begun')));

    // In the middle of it: all of them hold jobs, and have outcomes to write.
    const [victim, ...survivors] = workers;
    for (const worker of workers) worker.send('go');
    server.kill('SIGKILL');
    victim!.kill('SIGKILL');
    await victim!.exited;
    await server.restart();
    await completed(monque, JOBS);

    // Woken, and not only by luck: what comes after the crash is taken as well.
    const later = await monque.enqueueMany(
      Array.from({ length: LATER }, (_, number) => ({ name: 'note', data: { number } })),
    );
    await completed(monque, JOBS + LATER);

    const handled = new Set((await reportsOf(survivors)).flat());
    // The one that was killed may have taken outcomes with it that were stored before.
    const missing = [...jobs, ...later].filter(({ _id }) => !handled.has(_id));
    expect(later.filter(({ _id }) => !handled.has(_id))).toEqual([]);
    expect(missing.length).toBeLessThan(JOBS);
    expect(await monque.getQueueStats()).toMatchObject({ pending: 0, processing: 0, failed: 0 });
  },
);

async function completed(monque: Monque<string>, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await monque.getQueueStats()).toMatchObject({ completed: count }), {
    timeout: 150_000,
    interval: 200,
  });
}
