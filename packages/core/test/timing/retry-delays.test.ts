import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { Monque } from '../../src/monque.js';

const BASE = 1_000;

const { db } = testDatabase();

test('a retry waits for 2^failCount x base after the failure, within 1 %', async () => {
  await using monque = new Monque(db, { baseRetryInterval: BASE, maxRetries: 20 });
  await monque.initialize();
  const failures = new Map<number, { at: number; id: ObjectId }>();
  monque.register('fail', (job) => {
    failures.set(job.failCount + 1, { at: Date.now(), id: job._id });
    throw new Error('as asked');
  });
  // Jobs that have failed before, so that no attempt has to wait for the one before it.
  const now = new Date();
  await db.collection('monque_jobs').insertMany(
    Array.from({ length: 12 }, (_, failCount) => ({
      name: 'fail',
      data: {},
      status: 'pending',
      nextRunAt: now,
      failCount,
      createdAt: now,
      updatedAt: now,
    })),
  );
  expect(await monque.drain()).toEqual({ completed: 0, failed: 12, other: 0 });

  expect(failures.size).toBe(12);
  for (const [failCount, { at, id }] of failures) {
    const job = await monque.getJob(id);
    expect(job).toMatchObject({ status: 'pending', failCount });
    const delay = 2 ** failCount * BASE;
    const waited = job!.nextRunAt.getTime() - at;
    expect(Math.abs(waited - delay) / delay).toBeLessThan(0.01);
    // The time at which the failure was stored tells the same.
    expect(Math.abs(job!.nextRunAt.getTime() - job!.updatedAt.getTime() - delay) / delay).toBeLessThan(0.01);
  }
});

test('a retry begins when it is due, attempt after attempt', async () => {
  const base = 100;
  await using monque = new Monque(db, { baseRetryInterval: base, maxRetries: 4, pollInterval: 60_000 });
  await monque.initialize();
  const attempts: { at: number; due: number }[] = [];
  monque.register('retry', (job) => {
    attempts.push({ at: Date.now(), due: job.nextRunAt.getTime() });
    throw new Error('as asked');
  });
  monque.start();
  const { _id } = await monque.enqueue('retry', {});
  expect(await monque.waitForJob(_id, { timeout: 15_000 })).toMatchObject({ status: 'failed', failCount: 4 });

  expect(attempts).toHaveLength(4);
  for (const [index, { at, due }] of attempts.entries()) {
    expect(at).toBeGreaterThanOrEqual(due);
    expect(at - due).toBeLessThan(5_000);
    const before = attempts[index - 1];
    if (before !== undefined) expect(due - before.at).toBeGreaterThanOrEqual(2 ** index * base);
  }
});
