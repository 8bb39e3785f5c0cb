import { CancelRun, JobTimeoutError, PermanentError, RetryAfter } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, nextEvent } from './signals.js';

export function steeringTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'steering a run', (api) => {
    test('PermanentError is final, without a retry', async () => {
      const monque = await api.monque({ maxRetries: 10 });
      monque.register('work', () => {
        throw new PermanentError('never again');
      });
      const job = await monque.enqueue('work', {});
      const failed = nextEvent(monque, 'job:fail');
      monque.start();
      expect((await failed).willRetry).toBe(false);
      expect(await api.stored(job)).toMatchObject({
        status: 'failed',
        failCount: 1,
        failReason: 'never again',
      });
    });

    test.each([
      ['milliseconds', () => new RetryAfter(60_000)],
      ['a date', (now: number) => new RetryAfter(new Date(now + 60_000))],
    ])(
      'RetryAfter with %s is no failure: the job waits, and job:snoozed says until when',
      async (_, make) => {
        const monque = await api.monque();
        const failures = collect(monque, 'job:fail');
        const now = (await api.store.now()).getTime();
        monque.register('work', () => {
          throw make(now);
        });
        const job = await monque.enqueue('work', {});
        const snoozed = nextEvent(monque, 'job:snoozed');
        monque.start();
        const { until } = await snoozed;
        const document = await api.stored(job);
        expect(Math.abs(until.getTime() - now - 60_000)).toBeLessThan(2_000);
        expect(document).toMatchObject({ status: 'pending', failCount: 0, nextRunAt: until });
        for (const field of ['failReason', 'lockedAt', 'claimedBy', 'claimToken']) {
          expect(document).not.toHaveProperty(field);
        }
        expect(failures).toEqual([]);
      },
    );

    test('a snoozed job keeps its attempt', async () => {
      const monque = await api.monque();
      const attempts: number[] = [];
      monque.register('work', (_, { attempt }) => {
        attempts.push(attempt);
        if (attempts.length < 3) throw new RetryAfter(1);
      });
      await monque.enqueue('work', {});
      monque.start();
      await nextEvent(monque, 'job:complete');
      expect(attempts).toEqual([1, 1, 1]);
    });

    test('CancelRun cancels the job, and job:cancelled tells', async () => {
      const monque = await api.monque();
      monque.register('work', () => {
        throw new CancelRun('no longer needed');
      });
      const job = await monque.enqueue('work', {});
      const cancelled = nextEvent(monque, 'job:cancelled');
      const failures = collect(monque, 'job:fail');
      monque.start();
      expect(String((await cancelled).job._id)).toBe(String(job._id));
      expect((await api.stored(job)).status).toBe('cancelled');
      expect(failures).toEqual([]);
    });

    test('timeout fails the run at that moment with JobTimeoutError, and its signal aborts', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      let reason: unknown;
      monque.register('work', async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        reason = signal.reason;
        return 'too late';
      });
      const job = await monque.enqueue('work', {}, { timeout: 60 });
      const completions = collect(monque, 'job:complete');
      const failed = nextEvent(monque, 'job:fail');
      monque.start();
      const { error } = await failed;
      await monque.stop();
      expect(error).toBeInstanceOf(JobTimeoutError);
      expect(reason).toBeInstanceOf(JobTimeoutError);
      const document = await api.stored(job);
      expect(document.status).toBe('failed');
      expect(document).not.toHaveProperty('result');
      expect(completions).toEqual([]);
    });

    test('a timeout is a failure like others: it is tried again', async () => {
      const monque = await api.monque({ baseRetryInterval: 1 });
      monque.register('work', async (_, { attempt, signal }) => {
        if (attempt === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      const job = await monque.enqueue('work', {}, { timeout: 50 });
      monque.start();
      await nextEvent(monque, 'job:complete');
      expect(await api.stored(job)).toMatchObject({ status: 'completed', failCount: 1 });
    });
  });
}
