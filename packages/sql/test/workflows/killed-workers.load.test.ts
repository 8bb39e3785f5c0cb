import type { EnqueueItem, Monque } from '@monque/core';
import { describe, expect, test, vi } from 'vitest';
import { openMonque } from './fixtures/settings.js';
import { saidBy, sharedAddress, startWorker } from './workers.js';

const CHAIN = 150;
/** Children of each job of the tree, and how deep it goes below its root. */
const BRANCHES = 6;
const DEPTH = 3;
const TREE = 1 + 6 + 36 + 216;
const MEMBERS = 1_000 - CHAIN - TREE - 2;
const ALL = 1_000;

/** Processes that are killed, one after the other, and those that live. */
const VICTIMS = 3;
const SURVIVORS = 2;
/** How long each job takes, in milliseconds, so that a process that is killed has some. */
const DATA = { takes: 10 };
const OPTIONS = { lockTimeout: 5_000, workerConcurrency: 10, pollInterval: 250 };

/** A chain, a tree, and a batch with two that follow it. */
async function addJobs(monque: Monque<unknown>): Promise<void> {
  const start = await monque.enqueue('step', DATA, { hold: true });
  let last = start;
  for (let number = 1; number < CHAIN; number++) last = await monque.continueWith(last._id, 'step', DATA);
  const root = await monque.enqueue('step', DATA, { hold: true });
  let level = [root._id];
  for (let depth = 0; depth < DEPTH; depth++) {
    const items = level.flatMap((id): EnqueueItem[] =>
      Array.from({ length: BRANCHES }, () => ({ name: 'step', data: DATA, options: { parent: { id } } })),
    );
    level = (await monque.enqueueMany(items)).map(({ _id }) => _id);
  }
  const members = Array.from({ length: MEMBERS }, () => ({ name: 'step', data: DATA }));
  const { batchId } = await monque.enqueueBatch(members);
  const report = await monque.continueBatchWith(batchId, 'step', DATA);
  await monque.continueWith(report._id, 'step', DATA, { on: 'any' });
  await monque.releaseJob(start._id);
  await monque.releaseJob(root._id);
}

describe.each(['mongodb', 'sqlite', 'postgres', 'mariadb'] as const)('on %s', (kind) => {
  const address = sharedAddress(kind);

  test('1,000 jobs of a chain, a tree and a fan-in end, and each is let go once, whoever is killed', {
    timeout: 300_000,
  }, async () => {
    const { monque, close } = openMonque(address, { statsCacheTtlMs: 0 });
    await monque.initialize();
    const start = () => startWorker(address, ['step'], OPTIONS);
    const victims = await Promise.all(Array.from({ length: VICTIMS }, start));
    const survivors = await Promise.all(Array.from({ length: SURVIVORS }, start));
    await addJobs(monque);
    const completed = async () => (await monque.getQueueStats()).completed;
    for (const [index, victim] of victims.entries()) {
      const wanted = ((index + 1) * ALL) / (VICTIMS + 2);
      await vi.waitFor(async () => expect(await completed()).toBeGreaterThan(wanted), {
        timeout: 120_000,
        interval: 20,
      });
      victim.kill('SIGKILL');
    }
    await vi.waitFor(async () => expect(await completed()).toBe(ALL), { timeout: 150_000, interval: 100 });

    expect(await monque.getQueueStats()).toMatchObject({ pending: 0, processing: 0, total: ALL });
    // A job is handled again only where its process died with it: those that live have each job once.
    const handled = saidBy(survivors, 'handled').map(({ id }) => id);
    expect(new Set(handled).size).toBe(handled.length);
    expect(handled.length).toBeGreaterThan(0);
    expect(saidBy([...victims, ...survivors], 'failed')).toEqual([]);
    await close();
  });
});
