import { Monque } from '@monque/core';
import { describe, expect, test, vi } from 'vitest';
import { openStore } from './fixtures/settings.js';
import { sharedDatabase } from './shared-database.js';
import { saidBy, startWorkers } from './worker-process.js';

const PER_PROCESS = 5;
const JOBS = 2 * PER_PROCESS;

describe.each(['sqlite', 'postgres', 'mariadb'] as const)('on %s', (dialect) => {
  const database = sharedDatabase(dialect);

  test('the jobs of a process that is killed are finished by one that lives', {
    timeout: 180_000,
  }, async () => {
    const workers = await startWorkers(2, database, { lockTimeout: 4_000, workerConcurrency: PER_PROCESS });
    const [victim, survivor] = workers;
    await using monque = new Monque(openStore(database), { statsCacheTtlMs: 0 });
    await monque.initialize();
    await monque.enqueueMany(Array.from({ length: JOBS }, () => ({ name: 'hold', data: {} })));
    await vi.waitFor(() => expect(saidBy(workers, 'started')).toHaveLength(JOBS), 60_000);

    victim!.kill('SIGKILL');
    await victim!.exited;
    const orphans = saidBy([victim!], 'started').map(({ id }) => id);
    expect(orphans).toHaveLength(PER_PROCESS);
    survivor!.send('finish');
    await vi.waitFor(async () => expect(await monque.getQueueStats()).toMatchObject({ completed: JOBS }), {
      timeout: 60_000,
      interval: 100,
    });

    // Those of the dead process were begun again by the other, and nothing else was.
    const begun = saidBy([survivor!], 'started').map(({ id }) => id);
    expect(new Set(begun).size).toBe(begun.length);
    expect(begun).toHaveLength(JOBS);
    expect(begun).toEqual(expect.arrayContaining(orphans));
    expect(saidBy([survivor!], 'error')).toEqual([]);
  });
});
