import {
  ConnectionError,
  DuplicateJobError,
  defineJob,
  InvalidJobIdentifierError,
  InvalidOptionError,
  InvalidPayloadError,
  Monque,
  memory,
  PayloadTooLargeError,
} from '@monque/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { onEveryStore } from '../facade/instances.js';

onEveryStore('enqueue', (make) => {
  test('stores a job that is due now and holds nothing that was not given', async () => {
    const monque = await make();
    const before = Date.now();
    const job = await monque.enqueue('send', { to: 'ada' });
    const { _id, nextRunAt, createdAt, updatedAt, ...rest } = (await monque.getJob(job._id))!;
    expect(rest).toEqual({ name: 'send', data: { to: 'ada' }, status: 'pending', failCount: 0 });
    expect(nextRunAt).toEqual(createdAt);
    expect(updatedAt).toEqual(createdAt);
    expect(Math.abs(createdAt.getTime() - before)).toBeLessThan(1_000);
    expect(job).toEqual({ _id, nextRunAt, createdAt, updatedAt, ...rest });
  });

  test('keeps runAt exactly, past or far in the future', async () => {
    const monque = await make();
    for (const runAt of [new Date('2001-02-03T04:05:06.789Z'), new Date('2999-12-31T23:59:59.999Z')]) {
      const { _id } = await monque.enqueue('send', null, { runAt });
      expect((await monque.getJob(_id))?.nextRunAt).toEqual(runAt);
    }
  });

  test('adds a delay to the time of the call', async () => {
    const monque = await make();
    const { nextRunAt, createdAt } = await monque.enqueue('send', null, { delay: 90_000 });
    expect(nextRunAt.getTime() - createdAt.getTime()).toBe(90_000);
  });

  test('stores options that were given, and a priority of 0 as none', async () => {
    const monque = await make();
    const options = { maxRetries: 3, backoff: { type: 'fixed', delay: 5 } as const, timeout: 100 };
    const { _id } = await monque.enqueue('send', null, { ...options, priority: -4, uniqueKey: 'k' });
    expect(await monque.getJob(_id)).toMatchObject({ ...options, priority: -4, uniqueKey: 'k' });
    expect(await monque.enqueue('send', null, { priority: 0 })).not.toHaveProperty('priority');
  });

  test('stores undefined as null', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('send', undefined);
    expect((await monque.getJob(_id))?.data).toBeNull();
  });

  test('a definition brings its name and options, and those of the call win', async () => {
    const monque = await make();
    const send = defineJob<{ n: number }>('send', { maxRetries: 3, priority: 5, timeout: 1_000 });
    expect(await monque.enqueue(send, { n: 1 }, { priority: 9 })).toMatchObject({
      name: 'send',
      maxRetries: 3,
      priority: 9,
      timeout: 1_000,
    });
  });

  test('a taken unique key gives the existing job with its own data', async () => {
    const monque = await make();
    const first = await monque.enqueue('send', { n: 1 }, { uniqueKey: 'k' });
    const second = await monque.enqueue('send', { n: 2 }, { uniqueKey: 'k', priority: 3 });
    expect(second).toEqual(first);
  });

  test('a hundred calls at once with one key give one job', async () => {
    const monque = await make();
    const jobs = await Promise.all(
      Array.from({ length: 100 }, (_, n) => monque.enqueue('send', { n }, { uniqueKey: 'k' })),
    );
    expect(new Set(jobs.map(({ _id }) => String(_id))).size).toBe(1);
    expect(await monque.getJobs()).toHaveLength(1);
  });

  test('replace puts new data into a pending job', async () => {
    const monque = await make();
    const first = await monque.enqueue('send', { n: 1 }, { uniqueKey: 'k', priority: 3 });
    await monque.enqueue('send', { n: 2 }, { uniqueKey: 'k', onDuplicate: 'replace' });
    const job = await monque.getJob(first._id);
    expect(job?.data).toEqual({ n: 2 });
    expect(job).not.toHaveProperty('priority');
  });

  test('reject fails with the id of the existing job', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('send', { n: 1 }, { uniqueKey: 'k' });
    const second = monque.enqueue('send', { n: 2 }, { uniqueKey: 'k', onDuplicate: 'reject' });
    await expect(second).rejects.toThrow(DuplicateJobError);
    await expect(second).rejects.toMatchObject({ existingId: String(_id) });
  });

  test('a held job waits until it is released', async () => {
    const monque = await make();
    monque.register('send', () => 'sent');
    const { _id } = await monque.enqueue('send', null, { hold: true });
    await monque.drain();
    expect((await monque.getJob(_id))?.status).toBe('created');
    await monque.releaseJob(_id);
    await monque.drain();
    expect((await monque.getJob(_id))?.status).toBe('completed');
  });

  test('now stores a job that is due at once', async () => {
    const monque = await make();
    const { nextRunAt, createdAt } = await monque.now('send', null);
    expect(nextRunAt).toEqual(createdAt);
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  test.each<[string, unknown[], new (...args: never[]) => Error]>([
    ['a blank in the name', ['a b', null], InvalidJobIdentifierError],
    ['a blank unique key', ['a', null, { uniqueKey: ' ' }], InvalidJobIdentifierError],
    ['an invalid date', ['a', null, { runAt: new Date(Number.NaN) }], InvalidOptionError],
    ['a date beyond the calendar', ['a', null, { runAt: new Date(8.64e15) }], InvalidOptionError],
    ['an unknown option', ['a', null, { priorty: 1 }], InvalidOptionError],
    ['delay together with runAt', ['a', null, { delay: 1, runAt: new Date() }], InvalidOptionError],
    ['a function in the payload', ['a', { run: () => 1 }], InvalidPayloadError],
    ['a circular payload', ['a', circular], InvalidPayloadError],
    ['a payload that is too large', ['a', 'x'.repeat(2_000)], PayloadTooLargeError],
  ])('refuses %s before anything is written', async (_, args, error) => {
    const monque = await make({ maxPayloadSize: 1_000 });
    const [name, data, options] = args;
    await expect(monque.enqueue(name as string, data, options as object)).rejects.toThrow(error);
    expect(await monque.getJobs()).toEqual([]);
  });

  test('a schema refuses bad data before anything is written, and listed issues say where', async () => {
    const monque = await make();
    const send = defineJob('send', { schema: z.object({ to: z.email() }) });
    const answer = monque.enqueue(send, { to: 'nobody' });
    await expect(answer).rejects.toThrow(InvalidPayloadError);
    await expect(answer).rejects.toMatchObject({ issues: [{ path: 'data.to' }] });
    expect(await monque.getJobs()).toEqual([]);
  });

  test('a schema that transforms is applied once: the job stores its input, the handler gets its output', async () => {
    const monque = await make();
    const seen: unknown[] = [];
    const count = defineJob('count', { schema: z.object({ n: z.string().transform(Number) }) });
    monque.register(count, (job) => seen.push(job.data.n));
    const { _id } = await monque.enqueue(count, { n: '7' });
    expect((await monque.getJob(_id))?.data).toEqual({ n: '7' });
    await monque.drain();
    expect(seen).toEqual([7]);
  });
});

describe('when the database fails', () => {
  test('enqueue and queries reject with ConnectionError and the cause', async () => {
    const store = memory();
    const monque = new Monque(store);
    await monque.initialize();
    const cause = new Error('connection reset');
    store.insert = () => Promise.reject(cause);
    store.page = () => Promise.reject(cause);
    await expect(monque.enqueue('a', null)).rejects.toThrow(ConnectionError);
    await expect(monque.enqueue('a', null)).rejects.toMatchObject({ cause });
    await expect(monque.getJobs()).rejects.toThrow('connection reset');
  });
});
