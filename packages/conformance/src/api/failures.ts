import type { BackoffOptions } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, nextEvent } from './signals.js';

const CLAIM_FIELDS = ['lockedAt', 'claimedBy', 'lastHeartbeat', 'heartbeatInterval', 'claimToken'];
const PAST = new Date('2026-01-01T00:00:00Z');

export function failureTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'a failure', (api) => {
    /** Fails one run of a job, and answers the document and the delay from the failure to the next try. */
    const failOnce = async (
      document: Record<string, unknown>,
      options: Parameters<typeof api.monque>[0] = {},
      worker: Parameters<Awaited<ReturnType<typeof api.monque>>['register']>[2] = {},
    ) => {
      const monque = await api.monque(options);
      let failedAt = 0;
      monque.register(
        'work',
        async () => {
          failedAt = (await api.store.now()).getTime();
          throw new Error('broken');
        },
        worker,
      );
      const id = await api.write({ nextRunAt: PAST, ...document });
      const failed = nextEvent(monque, 'job:fail');
      monque.start();
      const event = await failed;
      await monque.stop();
      const job = await api.stored(id);
      return { job, event, delay: job.nextRunAt.getTime() - failedAt };
    };

    test('waits for its retry: pending, fail count + 1, the message as reason, nothing of the claim', async () => {
      const { job } = await failOnce({ uniqueKey: 'key' });
      expect(job).toMatchObject({ status: 'pending', failCount: 1, failReason: 'broken', uniqueKey: 'key' });
      for (const field of CLAIM_FIELDS) expect(job).not.toHaveProperty(field);
    });

    test.each([
      { failCount: 0, expected: 200_000 },
      { failCount: 1, expected: 400_000 },
      { failCount: 3, expected: 1_600_000 },
      { failCount: 7, expected: 25_600_000 },
    ])(
      'after $failCount earlier ones is tried again after 2^n x base, within 1 %',
      async ({ failCount, expected }) => {
        const { job, delay } = await failOnce({ failCount }, { baseRetryInterval: 100_000 });
        expect(job.failCount).toBe(failCount + 1);
        expect(Math.abs(delay - expected)).toBeLessThan(expected * 0.01);
      },
    );

    test('waits no longer than maxBackoffDelay', async () => {
      const { delay } = await failOnce(
        { failCount: 8 },
        { baseRetryInterval: 100_000, maxBackoffDelay: 300_000 },
      );
      expect(Math.abs(delay - 300_000)).toBeLessThan(3_000);
    });

    test.each<[BackoffOptions, number]>([
      [{ type: 'exponential', delay: 10_000 }, 80_000],
      [{ type: 'linear', delay: 10_000 }, 30_000],
      [{ type: 'fixed', delay: 10_000 }, 10_000],
      [{ type: 'exponential', delay: 10_000, maxDelay: 20_000 }, 20_000],
    ])("goes by the job's own backoff %j, which wins over the worker's", async (backoff, expected) => {
      const worker = { backoff: { type: 'fixed', delay: 1 } } as const;
      const { delay } = await failOnce({ failCount: 2, backoff }, {}, worker);
      expect(Math.abs(delay - expected)).toBeLessThan(expected * 0.01 + 50);
    });

    test('goes by a function of the worker, which sees fail count, error and job', async () => {
      const calls: unknown[] = [];
      const { delay } = await failOnce(
        { failCount: 2, data: 'payload' },
        {},
        {
          backoff: (failCount, error, job) => {
            calls.push([failCount, error.message, job.data]);
            return 77_000;
          },
        },
      );
      expect(calls).toEqual([[3, 'broken', 'payload']]);
      expect(Math.abs(delay - 77_000)).toBeLessThan(1_000);
    });

    test('is final when the attempts are used up: failed, failCount = maxRetries', async () => {
      const { job, event } = await failOnce({ failCount: 2 }, { maxRetries: 3 });
      expect(job).toMatchObject({ status: 'failed', failCount: 3, failReason: 'broken' });
      for (const field of CLAIM_FIELDS) expect(job).not.toHaveProperty(field);
      expect(event.willRetry).toBe(false);
    });

    test.each([0, 1])('is final at once with maxRetries %i', async (maxRetries) => {
      const { job } = await failOnce({}, { maxRetries });
      expect(job).toMatchObject({ status: 'failed', failCount: 1 });
    });

    test("uses the job's own maxRetries, then the worker's, then the instance's", async () => {
      expect((await failOnce({ maxRetries: 1 }, { maxRetries: 5 }, { maxRetries: 3 })).job.status).toBe(
        'failed',
      );
      expect((await failOnce({}, { maxRetries: 5 }, { maxRetries: 1 })).job.status).toBe('failed');
      expect((await failOnce({}, { maxRetries: 5 }, { maxRetries: 2 })).job.status).toBe('pending');
    });

    test.each<[string, () => unknown, string]>([
      [
        'a synchronous throw',
        () => {
          throw new Error('sync');
        },
        'sync',
      ],
      ['a rejection', () => Promise.reject(new Error('async')), 'async'],
      [
        'a thrown text',
        () => {
          throw 'just text';
        },
        'just text',
      ],
      [
        'a thrown number',
        () => {
          throw 42;
        },
        '42',
      ],
    ])('is %s', async (_, handler, reason) => {
      const monque = await api.monque();
      monque.register('work', handler);
      const job = await monque.enqueue('work', {});
      const failed = nextEvent(monque, 'job:fail');
      monque.start();
      const { error } = await failed;
      expect(error).toBeInstanceOf(Error);
      expect(error.message).toBe(reason);
      expect((await api.stored(job)).failReason).toBe(reason);
    });

    test('is forgotten by a success: the reason is removed, the fail count kept', async () => {
      const monque = await api.monque({ baseRetryInterval: 1 });
      monque.register('work', (_, { attempt }) => {
        if (attempt < 3) throw new Error(`attempt ${attempt}`);
      });
      const failures = collect(monque, 'job:fail');
      const job = await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:complete');
      const document = await api.stored(job);
      expect(document).toMatchObject({ status: 'completed', failCount: 2 });
      expect(document).not.toHaveProperty('failReason');
      expect(failures.map(({ error, willRetry }) => [error.message, willRetry])).toEqual([
        ['attempt 1', true],
        ['attempt 2', true],
      ]);
    });

    test('reaches the failed status after exactly maxRetries attempts', async () => {
      const monque = await api.monque({ baseRetryInterval: 1, maxRetries: 4 });
      const attempts: number[] = [];
      monque.register('work', (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error('broken');
      });
      const job = await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:fail', ({ willRetry }) => !willRetry);
      expect(attempts).toEqual([1, 2, 3, 4]);
      expect(await api.stored(job)).toMatchObject({ status: 'failed', failCount: 4 });
    });

    test('leaves other jobs alone', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register<number>('work', ({ data }) => {
        if (data % 2) throw new Error('odd');
      });
      await monque.enqueueMany(Array.from({ length: 40 }, (_, n) => ({ name: 'work', data: n })));
      await monque.drain();
      expect((await api.store.counts()).byStatus).toEqual({ completed: 20, failed: 20 });
    });
  });
}
