import { setTimeout as wait } from 'node:timers/promises';
import {
  DuplicateJobError,
  InvalidOptionError,
  JobStateError,
  Monque,
  memory,
  WatchUnsupportedError,
} from '@monque/core';
import { describe, expect, test } from 'vitest';
import { collect, nextEvent, onEveryStore } from '../facade/instances.js';

/** A job that has failed for good. */
async function failed(monque: Monque<unknown>, options: { uniqueKey?: string } = {}): Promise<unknown> {
  monque.register(
    'broken',
    () => {
      throw new Error('No luck');
    },
    { replace: true },
  );
  const { _id } = await monque.enqueue('broken', null, { ...options, maxRetries: 1 });
  await monque.drain();
  return _id;
}

onEveryStore('single jobs', (make) => {
  test('cancelJob cancels a pending job and tells of it once', async () => {
    const monque = await make();
    const events = collect(monque, 'job:cancelled');
    const { _id } = await monque.enqueue('a', null);
    expect(await monque.cancelJob(String(_id))).toMatchObject({ _id, status: 'cancelled' });
    expect(await monque.cancelJob(_id)).toMatchObject({ _id, status: 'cancelled' });
    expect(events.map(({ job }) => [job._id, job.status])).toEqual([[_id, 'cancelled']]);
  });

  test('cancelJob refuses any other status with its name', async () => {
    const monque = await make();
    const id = await failed(monque);
    const answer = monque.cancelJob(id);
    await expect(answer).rejects.toThrow(JobStateError);
    await expect(answer).rejects.toMatchObject({
      message: "Cannot cancel job in status 'failed'",
      jobId: String(id),
      currentStatus: 'failed',
      attemptedAction: 'cancel',
    });
    const held = await monque.enqueue('a', null, { hold: true });
    await expect(monque.cancelJob(held._id)).rejects.toThrow("Cannot cancel job in status 'created'");
  });

  test('cancelJob stops a run only if asked to, and the run sees it', async () => {
    const monque = await make();
    const aborted = new Promise((resolve) => {
      monque.register('slow', (_, { signal }) => {
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve(signal.reason);
            reject(signal.reason);
          });
        });
      });
    });
    const started = nextEvent(monque, 'job:start');
    monque.start();
    const { _id } = await monque.enqueue('slow', null);
    await started;
    await expect(monque.cancelJob(_id)).rejects.toThrow("Cannot cancel job in status 'processing'");
    expect(await monque.cancelJob(_id, { running: true })).toMatchObject({ status: 'cancelled' });
    expect(await aborted).toMatchObject({ reason: 'cancelled' });
    await monque.stop();
    const job = await monque.getJob(_id);
    expect(job?.status).toBe('cancelled');
    expect(job).not.toHaveProperty('claimedBy');
  });

  test('cancelJob refuses options that are wrong', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', null);
    await expect(monque.cancelJob(_id, { runing: true } as object)).rejects.toThrow(InvalidOptionError);
    await expect(monque.cancelJob(_id, { running: 1 } as never)).rejects.toThrow(InvalidOptionError);
  });

  test('retryJob sets a failed job to its start and tells from which status', async () => {
    const monque = await make();
    const events = collect(monque, 'job:retried');
    const id = await failed(monque);
    const job = await monque.retryJob(id);
    expect(job).toMatchObject({ status: 'pending', failCount: 0 });
    expect(job).not.toHaveProperty('failReason');
    expect(Math.abs((job?.nextRunAt.getTime() ?? 0) - Date.now())).toBeLessThan(2_000);
    expect(events.map(({ previousStatus }) => previousStatus)).toEqual(['failed']);
    await expect(monque.retryJob(id)).rejects.toThrow("Cannot retry job in status 'pending'");
  });

  test('retryJob runs a cancelled job again at once', async () => {
    const monque = await make({ pollInterval: 600_000, safetyPollInterval: 600_000 });
    monque.register('a', () => 'done');
    const { _id } = await monque.enqueue('a', null, { runAt: new Date('2100-01-01') });
    await monque.cancelJob(_id);
    monque.start();
    await monque.retryJob(_id);
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test('retryJob refuses a job whose unique key is taken meanwhile', async () => {
    const monque = await make();
    const id = await failed(monque, { uniqueKey: 'k' });
    const holder = await monque.enqueue('broken', null, { uniqueKey: 'k' });
    const answer = monque.retryJob(id);
    await expect(answer).rejects.toThrow(DuplicateJobError);
    await expect(answer).rejects.toMatchObject({ existingId: String(holder._id) });
    expect((await monque.getJob(id))?.status).toBe('failed');
  });

  test('rescheduleJob moves a pending job only', async () => {
    const monque = await make();
    const runAt = new Date('2031-05-06T07:08:09.123Z');
    const { _id } = await monque.enqueue('a', null);
    expect((await monque.rescheduleJob(_id, runAt))?.nextRunAt).toEqual(runAt);
    await expect(monque.rescheduleJob(_id, new Date(Number.NaN))).rejects.toThrow(InvalidOptionError);
    await monque.cancelJob(_id);
    await expect(monque.rescheduleJob(_id, runAt)).rejects.toThrow(
      "Cannot reschedule job in status 'cancelled'",
    );
  });

  test('a job that is rescheduled to now runs without a poll', async () => {
    const monque = await make({ pollInterval: 600_000, safetyPollInterval: 600_000 });
    monque.register('a', () => 'done');
    const { _id } = await monque.enqueue('a', null, { delay: 3_600_000 });
    monque.start();
    await monque.rescheduleJob(_id, new Date());
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test('releaseJob releases held jobs only, and not into a taken unique key', async () => {
    const monque = await make();
    const held = await monque.enqueue('a', null, { hold: true, uniqueKey: 'k' });
    const holder = await monque.enqueue('a', null, { uniqueKey: 'k' });
    await expect(monque.releaseJob(held._id)).rejects.toMatchObject({ existingId: String(holder._id) });
    await monque.deleteJob(holder._id);
    expect(await monque.releaseJob(held._id)).toMatchObject({ status: 'pending' });
    await expect(monque.releaseJob(held._id)).rejects.toThrow("Cannot release job in status 'pending'");
  });

  test('deleteJob removes a job in whatever status and tells its id as text', async () => {
    const monque = await make();
    const events = collect(monque, 'job:deleted');
    const ids = [await failed(monque), (await monque.enqueue('a', null))._id];
    for (const id of ids) expect(await monque.deleteJob(id)).toBe(true);
    expect(await monque.deleteJob(ids[0])).toBe(false);
    expect(events).toEqual(ids.map((id) => ({ jobId: String(id) })));
    expect(await monque.getJobs()).toEqual([]);
  });

  test.each([undefined, null, 7, '', 'nonsense', {}, { $ne: null }])(
    'an id like %j is nobody',
    async (id) => {
      const monque = await make();
      await monque.enqueue('a', null);
      expect(await monque.cancelJob(id)).toBeNull();
      expect(await monque.retryJob(id)).toBeNull();
      expect(await monque.rescheduleJob(id, new Date())).toBeNull();
      expect(await monque.releaseJob(id)).toBeNull();
      expect(await monque.deleteJob(id)).toBe(false);
      expect(await monque.getJobs({ status: 'pending' })).toHaveLength(1);
    },
  );

  test('of many who cancel and retry one job at the same time, each gets an answer that was true', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', null);
    const calls = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? monque.cancelJob(_id) : monque.retryJob(_id),
    );
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(JobStateError);
      else expect(['cancelled', 'pending']).toContain(result.value?.status);
    }
  });
});

describe('without a stream of changes, and with polls and heartbeats far away', () => {
  async function instance(): Promise<Monque<string>> {
    const store = memory();
    store.watch = () => Promise.reject(new WatchUnsupportedError('No stream here'));
    const monque = new Monque(store, {
      pollInterval: 600_000,
      heartbeatInterval: 600_000,
      lockTimeout: 3_600_000,
    });
    await monque.initialize();
    monque.register('a', () => 'done');
    const fallback = nextEvent(monque, 'changestream:fallback');
    monque.start();
    await fallback;
    return monque;
  }

  test.each<[string, (monque: Monque<string>, id: string) => Promise<unknown>]>([
    ['retryJob', async (monque, id) => monque.retryJob((await monque.cancelJob(id))?._id ?? '')],
    ['retryJobs', async (monque, id) => monque.cancelJob(id).then(() => monque.retryJobs({}))],
    ['rescheduleJob', (monque, id) => monque.rescheduleJob(id, new Date())],
  ])('%s lets this process run the job at once', async (_, act) => {
    await using monque = await instance();
    const { _id } = await monque.enqueue('a', null, { delay: 3_600_000 });
    await act(monque, _id);
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test('releaseJob lets this process run the job at once', async () => {
    await using monque = await instance();
    const { _id } = await monque.enqueue('a', null, { hold: true });
    await monque.releaseJob(_id);
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test.each<[string, (monque: Monque<string>) => Promise<string>]>([
    ['enqueue', async (monque) => (await monque.enqueue('a', null))._id],
    ['enqueueMany', async (monque) => (await monque.enqueueMany([{ name: 'a', data: null }]))[0]._id],
  ])('%s lets this process run the job at once', async (_, act) => {
    await using monque = await instance();
    // The first look of a new instance would find the job by itself.
    await wait(50);
    const id = await act(monque);
    expect(await monque.waitForJob(id, { timeout: 5_000 })).toMatchObject({ status: 'completed' });
  });

  test.each<[string, (monque: Monque<string>, id: string) => Promise<unknown>]>([
    ['cancelled', (monque, id) => monque.cancelJob(id, { running: true })],
    ['deleted', (monque, id) => monque.deleteJob(id)],
  ])('a run of this process whose job is %s is told at once', async (reason, act) => {
    await using monque = await instance();
    const aborted = new Promise((resolve) => {
      monque.register('slow', async (_, { signal }) => {
        await new Promise((ended) => signal.addEventListener('abort', ended));
        resolve(signal.reason);
      });
    });
    const started = nextEvent(monque, 'job:start');
    const { _id } = await monque.enqueue('slow', null);
    await started;
    await act(monque, _id);
    expect(await aborted).toMatchObject({ reason });
  });
});
