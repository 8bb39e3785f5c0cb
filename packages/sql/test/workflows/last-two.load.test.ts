import { describe, expect, test, vi } from 'vitest';
import { openMonque } from './fixtures/settings.js';
import { saidBy, sharedAddress, startWorker } from './workers.js';

const TIMES = 500;
/** Milliseconds from one pair to the next. */
const APART = 6;
/** Batches that are stored at the same time. */
const AT_ONCE = 50;
const OPTIONS = { workerConcurrency: TIMES, pollInterval: 100 };

describe.each(['mongodb', 'sqlite', 'postgres', 'mariadb'] as const)('on %s', (kind) => {
  const address = sharedAddress(kind);

  test('two processes end the last two members at the same moment, 500 times: 500 releases', {
    timeout: 300_000,
  }, async () => {
    const { monque, close } = openMonque(address, { statsCacheTtlMs: 0 });
    await monque.initialize();
    const workers = await Promise.all([
      startWorker(address, ['left', 'after'], OPTIONS),
      startWorker(address, ['right', 'after'], OPTIONS),
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
    for (let first = 0; first < TIMES; first += AT_ONCE) {
      const times = Array.from({ length: AT_ONCE }, (_, index) => first + index);
      batches.push(...(await Promise.all(times.map(addBatch))));
    }
    await vi.waitFor(() => expect(saidBy(workers, 'handled')).toHaveLength(2 * TIMES), 120_000);
    // Both know the moment before it comes.
    const begin = Date.now() + 500;
    for (const worker of workers) worker.send({ begin });
    await vi.waitFor(
      async () => expect(await monque.getQueueStats({ name: 'after' })).toMatchObject({ completed: TIMES }),
      { timeout: 120_000, interval: 100 },
    );
    const after = await monque.getJobs({ name: 'after', limit: TIMES });
    const handled = saidBy(workers, 'handled').map(({ id }) => id);
    expect(handled).toHaveLength(3 * TIMES);
    expect(new Set(handled).size).toBe(3 * TIMES);
    expect(handled).toEqual(expect.arrayContaining(after.map(({ _id }) => String(_id))));
    expect(
      saidBy(workers, 'complete')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(batches.toSorted());
    await close();
  });
});
