import { testDatabase } from '@monque/test-servers/vitest';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import type { PersistedJob } from '../../src/job/job.js';
import { Monque } from '../../src/monque.js';

const JOBS = 100;
const LATEST_MS = 100;

const { uri, name } = testDatabase();

test('events fire within 100 ms of the write that they tell of, and not before it', async () => {
  await using client = new MongoClient(uri, { monitorCommands: true });
  let writtenAt = Number.NEGATIVE_INFINITY;
  client.on('commandSucceeded', ({ commandName }) => {
    if (commandName === 'update' || commandName === 'findAndModify') writtenAt = performance.now();
  });
  await using monque = new Monque(client.db(name), { maxRetries: 1 });
  await monque.initialize();
  /** From the server's answer to the event. One job at a time, so that the latest write is the event's own. */
  const sinceWrite: number[] = [];
  /** From the time that is stored, which is before the write, to the event: the server runs on this machine. */
  const sinceStored: number[] = [];
  const note = (storedAt: Date): void => {
    sinceWrite.push(performance.now() - writtenAt);
    sinceStored.push(Date.now() - storedAt.getTime());
    writtenAt = Number.NEGATIVE_INFINITY;
  };
  const end = ({ job }: { job: PersistedJob }): void => note(job.updatedAt);
  monque.on('job:start', (job) => note(job.lockedAt!));
  monque.on('job:complete', end);
  monque.on('job:fail', end);
  monque.register('succeed', () => {});
  monque.register('fail', () => {
    throw new Error('as asked');
  });
  monque.start();
  for (let index = 0; index < JOBS; index++) {
    const { _id } = await monque.enqueue(index % 2 === 0 ? 'succeed' : 'fail', {});
    await monque.waitForJob(_id, { timeout: 5_000 });
  }

  expect(sinceWrite).toHaveLength(2 * JOBS);
  sinceWrite.sort((one, other) => one - other);
  sinceStored.sort((one, other) => one - other);
  console.log(
    `events: latest ${sinceWrite.at(-1)?.toFixed(1)} ms after the write was acknowledged; ` +
      `median ${sinceStored[JOBS]} ms, latest ${sinceStored.at(-1)} ms after the stored time`,
  );
  // An event without a write before it would be infinitely late.
  expect(sinceWrite.at(-1)).toBeLessThan(LATEST_MS);
  expect(sinceStored[0]).toBeGreaterThanOrEqual(0);
  // The median, because a busy machine may delay a single write.
  expect(sinceStored[JOBS]).toBeLessThan(LATEST_MS);
});
