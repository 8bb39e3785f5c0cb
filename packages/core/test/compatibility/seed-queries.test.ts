import { EventEmitter, once } from 'node:events';
import { testDatabase } from '@monque/test-servers/vitest';
import type { Document, WithId } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Monque } from '../../src/monque.js';
import type { MonqueOptions } from '../../src/options/monque-options.js';
import { SeedQueries } from './seed-queries.js';

const { db } = testDatabase();
const jobs = db.collection('monque_jobs');
const byHand = new SeedQueries(jobs, 'by-hand');

let monque: Monque;
const errors: Error[] = [];

async function initialize(options?: MonqueOptions): Promise<void> {
  monque = new Monque(db, { statsCacheTtlMs: 0, ...options });
  monque.on('job:error', ({ error }) => errors.push(error));
  await monque.initialize();
}

beforeEach(async () => {
  await jobs.deleteMany({});
  errors.length = 0;
});
afterEach(async () => {
  await monque.close();
  expect(errors).toEqual([]);
});

/** Registers a handler that tells when it has begun, and ends when it is told to. */
function registerHeld(name: string): { begun: Promise<unknown>; runs: () => number; finish: () => void } {
  const controls = new EventEmitter();
  const begun = once(controls, 'begun');
  const finished = once(controls, 'finish');
  let runs = 0;
  monque.register(name, async () => {
    runs++;
    controls.emit('begun');
    await finished;
  });
  return { begun, runs: () => runs, finish: () => void controls.emit('finish') };
}

describe('The claim', () => {
  test('and the engine never take the same job, while both take what they can', async () => {
    await initialize({ workerConcurrency: 3 });
    const byEngine: string[] = [];
    monque.register('work', async (job) => {
      byEngine.push(String(job._id));
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const enqueued = await monque.enqueueMany(
      Array.from({ length: 300 }, (_, number) => ({ name: 'work', data: { number } })),
    );
    const taken: WithId<Document>[] = [];
    monque.start();
    for (let job = await byHand.claim('work'); job !== null; job = await byHand.claim('work'))
      taken.push(job);
    await vi.waitFor(
      async () => expect(await jobs.countDocuments({ status: 'completed' })).toBe(300 - taken.length),
      15_000,
    );

    expect(taken.length).toBeGreaterThan(0);
    expect(byEngine.length).toBeGreaterThan(0);
    const all = [...byEngine, ...taken.map(({ _id }) => String(_id))];
    expect(all.toSorted()).toEqual(enqueued.map(({ _id }) => String(_id)).toSorted());
    // What was claimed by hand is as the claim left it, until the same hand ends it.
    for (const job of taken) expect(await jobs.findOne({ _id: job._id })).toEqual(job);
    for (const job of taken) await byHand.complete(job);
    expect(await monque.getQueueStats()).toMatchObject({ completed: 300, processing: 0, pending: 0 });
  });

  test('finds nothing in what the engine runs', async () => {
    await initialize();
    const held = registerHeld('work');
    const { _id } = await monque.enqueue('work', {});
    monque.start();
    await held.begun;
    expect(await byHand.claim('work')).toBeNull();
    held.finish();
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test('is left alone by the engine, also by its recovery, while lockTimeout is not set', async () => {
    await initialize();
    await monque.enqueue('work', {});
    const job = await byHand.claim('work');
    // Ten minutes without a sign but heartbeats, which do not renew lockedAt in an older Monque.
    const lockedAt = new Date(Date.now() - 10 * 60_000);
    await jobs.updateOne({ _id: job!._id }, { $set: { lockedAt } });
    await monque.close();
    await initialize();
    let runs = 0;
    monque.register('work', () => void runs++);
    expect(await monque.drain()).toMatchObject({ completed: 0 });
    expect(runs).toBe(0);
    expect(await jobs.findOne({ _id: job!._id })).toEqual({ ...job, lockedAt });
  });
});

describe('The recovery', () => {
  const LOCK_TIMEOUT = 900;

  test('never takes a job from a running engine, which renews lockedAt', async () => {
    await initialize({ lockTimeout: LOCK_TIMEOUT });
    const held = registerHeld('work');
    const { _id } = await monque.enqueue('work', {});
    monque.start();
    await held.begun;
    const end = Date.now() + 3 * LOCK_TIMEOUT;
    let sweeps = 0;
    while (Date.now() < end) {
      expect(await byHand.recover(LOCK_TIMEOUT)).toBe(0);
      sweeps++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(sweeps).toBeGreaterThan(10);
    held.finish();
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
    expect(held.runs()).toBe(1);
  });

  test('gives back what a dead engine held, and a running engine takes it at once', async () => {
    await initialize();
    const { _id } = await monque.enqueue('work', {}, { delay: 60_000 });
    const ago = new Date(Date.now() - 180_000);
    await jobs.updateOne(
      { _id },
      {
        $set: {
          status: 'processing',
          nextRunAt: ago,
          claimedBy: 'dead',
          claimToken: 'of-the-dead',
          lockedAt: ago,
          lastHeartbeat: ago,
          heartbeatInterval: 30_000,
        },
      },
    );
    const runs: string[] = [];
    monque.register('work', (job) => void runs.push(String(job._id)));
    monque.start();
    expect(await byHand.recover(120_000)).toBe(1);
    const job = await monque.waitForJob(_id, { timeout: 5_000 });
    expect(job).toMatchObject({ status: 'completed' });
    expect(job).not.toHaveProperty('claimToken');
    expect(runs).toEqual([String(_id)]);
  });

  test('and a claim after it take a job away for good: the late outcome of its first owner changes nothing', async () => {
    // One slot, which is taken: the engine does not compete for what is given back.
    await initialize({ workerConcurrency: 1 });
    const held = registerHeld('work');
    const completed = vi.fn();
    monque.on('job:complete', completed);
    await monque.enqueue('work', {});
    monque.start();
    await held.begun;
    // As if the engine had been silent for longer than the lock timeout.
    expect(await byHand.recover(-1_000)).toBe(1);
    const job = (await byHand.claim('work')) ?? expect.fail('The engine was faster');
    held.finish();
    await monque.stop();
    expect(await jobs.findOne({ _id: job._id })).toEqual(job);
    expect(completed).not.toHaveBeenCalled();
  });
});

describe('The heartbeat', () => {
  test('renews what the engine holds under that id, and disturbs nothing', async () => {
    await initialize({ schedulerInstanceId: 'engine' });
    const held = registerHeld('work');
    const { _id } = await monque.enqueue('work', {});
    monque.start();
    await held.begun;
    expect(await new SeedQueries(jobs, 'engine').heartbeat()).toBe(1);
    expect(await byHand.heartbeat()).toBe(0);
    held.finish();
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test('renews what was claimed by hand, and nothing of the engine', async () => {
    await initialize();
    const held = registerHeld('held');
    const { _id } = await monque.enqueue('held', {});
    await monque.enqueue('work', {});
    monque.start();
    await held.begun;
    const before = await jobs.findOne({ _id });
    const mine = await byHand.claim('work');
    expect(await byHand.heartbeat()).toBe(1);
    expect(await jobs.findOne({ _id })).toEqual(before);
    expect((await jobs.findOne({ _id: mine!._id }))!.lastHeartbeat.getTime()).toBeGreaterThanOrEqual(
      mine!.lastHeartbeat.getTime(),
    );
    held.finish();
  });
});

describe('The unique upsert', () => {
  test('finds the job that the engine stored, pending or processing', async () => {
    await initialize();
    const held = registerHeld('sync');
    const job = await monque.enqueue('sync', { by: 'engine' }, { uniqueKey: 'one' });
    expect(await byHand.upsert('sync', 'one', { by: 'hand' })).toEqual(job);
    monque.start();
    await held.begun;
    expect(await byHand.upsert('sync', 'one', { by: 'hand' })).toMatchObject({
      _id: job._id,
      status: 'processing',
    });
    held.finish();
    await monque.waitForJob(job._id, { timeout: 5_000 });
    expect(await byHand.upsert('sync', 'one', { by: 'hand' })).toMatchObject({ data: { by: 'hand' } });
  });

  test('stores a job that the engine runs, and that its enqueue finds', async () => {
    await initialize();
    const stored = await byHand.upsert('sync', 'one', { by: 'hand' });
    const found = await monque.enqueue('sync', { by: 'engine' }, { uniqueKey: 'one' });
    expect(found).toEqual(stored);
    monque.register('sync', () => {});
    expect(await monque.drain()).toEqual({ completed: 1, failed: 0, other: 0 });
  });

  test('and enqueue at once make one job, and enqueue meets no error', async () => {
    await initialize();
    for (let round = 0; round < 20; round++) {
      const uniqueKey = `key-${round}`;
      const upserts = Array.from({ length: 10 }, () => byHand.upsert('sync', uniqueKey, { by: 'hand' }));
      const enqueued = Array.from({ length: 10 }, () => monque.enqueue('sync', {}, { uniqueKey }));
      // The upsert itself may lose a race with an error: its filter is not the unique index's, so the server does not try again.
      for (const answer of await Promise.allSettled(upserts)) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 11_000 });
      }
      const stored = await jobs.find({ name: 'sync', uniqueKey }).toArray();
      expect(stored).toHaveLength(1);
      for (const job of await Promise.all(enqueued)) expect(job._id).toEqual(stored[0]!._id);
    }
  });
});
