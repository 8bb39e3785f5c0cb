import { describe, expect, test, vi } from 'vitest';
import { openMonque } from './fixtures/settings.js';
import { saidBy, sharedAddress, startWorker } from './workers.js';

/** How often, where the two meet over a network; a store in a file needs no more to show it, and MariaDB is like PostgreSQL. */
const TIMES = { mongodb: 500, sqlite: 200, postgres: 500, mariadb: 200 };
/** Milliseconds from one pair to the next. */
const APART = 6;
/** Batches that are stored at the same time. */
const AT_ONCE = 50;

describe.each(['mongodb', 'sqlite', 'postgres', 'mariadb'] as const)('on %s', (kind) => {
  const address = sharedAddress(kind);
  const times = TIMES[kind];
  const options = { workerConcurrency: times, pollInterval: 100 };

  test(`two processes end the last two members at the same moment, ${times} times: as many releases`, {
    timeout: 300_000,
  }, async () => {
    const { monque, close } = openMonque(address, { statsCacheTtlMs: 0 });
    await monque.initialize();
    const workers = await Promise.all([
      startWorker(address, ['left', 'after'], options),
      startWorker(address, ['right', 'after'], options),
    ]);
    const addBatch = async (time: number): Promise<string> => {
      const data = { after: time * APART };
      const { batchId } = await monque.enqueueBatch([
        { name: 'left', data },
        { name: 'right', data },
      ]);
      await monque.continueBatchWith(batchId, 'after', {});
      return batchId;
    };
    const batches: string[] = [];
    for (let first = 0; first < times; first += AT_ONCE) {
      const chunk = Array.from({ length: AT_ONCE }, (_, index) => first + index);
      batches.push(...(await Promise.all(chunk.map(addBatch))));
    }
    await vi.waitFor(() => expect(saidBy(workers, 'handled')).toHaveLength(2 * times), 120_000);
    // Both know the moment before it comes.
    const begin = Date.now() + 500;
    for (const worker of workers) worker.send({ begin });
    await vi.waitFor(
      async () => expect(await monque.getQueueStats({ name: 'after' })).toMatchObject({ completed: times }),
      { timeout: 120_000, interval: 100 },
    );
    const after = await monque.getJobs({ name: 'after', limit: times });
    const handled = saidBy(workers, 'handled').map(({ id }) => id);
    expect(handled).toHaveLength(3 * times);
    expect(new Set(handled).size).toBe(3 * times);
    expect(handled).toEqual(expect.arrayContaining(after.map(({ _id }) => String(_id))));
    expect(
      saidBy(workers, 'complete')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(batches.toSorted());
    await close();
  });
});
