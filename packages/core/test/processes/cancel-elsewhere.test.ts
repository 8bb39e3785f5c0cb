import { testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { startWorkers, toldBy } from './worker-process.js';

/** From the cancellation to the word of the other process that its signal has aborted, in milliseconds. */
const QUICKLY = 10_000;

const CASES: readonly [topology: 'replicaSet' | 'standalone', means: string, options: MonqueOptions][] = [
  // Polls and heartbeats are too far apart to help: only the stream of changes can bring the news.
  ['replicaSet', 'sees the change', { pollInterval: 60_000, heartbeatInterval: 60_000 }],
  ['standalone', 'looks for it', { pollInterval: 200, heartbeatInterval: 60_000 }],
];

describe.each(CASES)('On a %s', (topology, means, options) => {
  const database = testDatabase(topology);

  test(`a run that another process cancels is aborted soon, because its owner ${means}`, async () => {
    const [owner] = await startWorkers(1, database, options);
    await using monque = new Monque(database.db);
    await monque.initialize();
    const { _id } = await monque.enqueue('hold', {});
    await toldBy(owner!, 'started');

    const begin = performance.now();
    await monque.cancelJob(_id, { running: true });
    expect(await toldBy(owner!, 'aborted')).toEqual({
      type: 'aborted',
      id: String(_id),
      reason: 'cancelled',
    });
    expect(performance.now() - begin).toBeLessThan(QUICKLY);

    // The handler has returned by now, and the process can take the next job; the outcome counts for nothing.
    const next = await monque.enqueue('note', {});
    expect(await monque.waitForJob(next._id, { timeout: 10_000 })).toMatchObject({ status: 'completed' });
    const cancelled = await monque.getJob(_id);
    expect(cancelled).toMatchObject({ status: 'cancelled', failCount: 0 });
    expect(cancelled).not.toHaveProperty('claimedBy');
  }, 40_000);
});
