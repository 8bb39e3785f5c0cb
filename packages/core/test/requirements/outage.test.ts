import { once } from 'node:events';
import { mongo } from '@monque/test-servers';
import { testDatabase } from '@monque/test-servers/vitest';
import { MongoClient } from 'mongodb';
import { expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';

// Not used itself: it skips this file where there is no MongoDB.
testDatabase();

test('handlers end while the database does not answer, no job is taken, and all goes on when it is back', async () => {
  await using server = await mongo.replicaSet({ nodes: 1 });
  await using client = new MongoClient(server.uri);
  await using monque = new Monque(client.db('outage'), { workerConcurrency: 1 });
  await monque.initialize();
  const begun: unknown[] = [];
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let ended = false;
  monque.register('work', async ({ data }) => {
    begun.push(data);
    await gate;
    ended = true;
  });
  await monque.enqueueMany([
    { name: 'work', data: 1 },
    { name: 'work', data: 2 },
  ]);
  const started = once(monque, 'job:start');
  monque.start();
  await started;

  for (const node of server.processes) node.kill('SIGSTOP');
  try {
    finish();
    await vi.waitFor(() => expect(ended).toBe(true));
    // Nothing can be shown about what does not happen but by waiting for it a while.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(begun).toEqual([1]);
  } finally {
    for (const node of server.processes) node.kill('SIGCONT');
  }

  await vi.waitFor(async () => expect(await monque.getJobs({ status: 'completed' })).toHaveLength(2), {
    timeout: 20_000,
    interval: 50,
  });
  expect(begun).toEqual([1, 2]);
}, 60_000);
