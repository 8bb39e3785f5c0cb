import { JobStateError, type JobStatus } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect } from './signals.js';

const PAST = new Date('2026-01-01T00:00:00Z');
const FUTURE = new Date('2999-01-01T00:00:00.123Z');
const ALL: readonly JobStatus[] = [
  'pending',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'created',
  'awaiting-continuation',
  'awaiting-batch',
];
const WAITING = ['awaiting-continuation', 'awaiting-batch'] as const;
const except = (...allowed: JobStatus[]) => ALL.filter((status) => !allowed.includes(status));

export function manageTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'cancelJob', (api) => {
    test('pending to cancelled, with job:cancelled', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      const events = collect(monque, 'job:cancelled');
      const cancelled = await monque.cancelJob(String(job._id));
      expect(cancelled).toMatchObject({ _id: job._id, status: 'cancelled' });
      expect(await api.stored(job)).toStrictEqual(cancelled);
      expect(events.map(({ job: told }) => String(told._id))).toEqual([String(job._id)]);
    });

    test('already cancelled: returned, no event', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      const first = await monque.cancelJob(job._id);
      const events = collect(monque, 'job:cancelled');
      expect(await monque.cancelJob(job._id)).toStrictEqual(first);
      expect(events).toEqual([]);
    });

    test.each(WAITING)('%s to cancelled', async (status) => {
      const id = await api.write({ status, nextRunAt: PAST });
      const cancelled = await (await api.monque()).cancelJob(id);
      expect(cancelled).toMatchObject({ status: 'cancelled' });
      expect(await api.stored(id)).toStrictEqual(cancelled);
    });

    test.each(except('pending', 'cancelled', ...WAITING))('%s: JobStateError', async (status) => {
      const id = await api.write({ status, nextRunAt: PAST });
      const failure = (await api.monque()).cancelJob(id);
      await expect(failure).rejects.toThrow(JobStateError);
      await expect(failure).rejects.toThrow(`Cannot cancel job in status '${status}'`);
      await expect(failure).rejects.toMatchObject({
        jobId: id,
        currentStatus: status,
        attemptedAction: 'cancel',
      });
      expect((await api.stored(id)).status).toBe(status);
    });
  });

  apiSuite(subject, 'retryJob', (api) => {
    test.each(['failed', 'cancelled'] as const)(
      '%s to pending, fail count 0, reason removed, due now',
      async (status) => {
        const id = await api.write({ status, nextRunAt: PAST, failCount: 10, failReason: 'broken' });
        const monque = await api.monque();
        const events = collect(monque, 'job:retried');
        const before = (await api.store.now()).getTime();
        const job = await monque.retryJob(id);
        expect(job).toMatchObject({ status: 'pending', failCount: 0 });
        expect(job).not.toHaveProperty('failReason');
        expect(Math.abs((job?.nextRunAt.getTime() ?? 0) - before)).toBeLessThan(1_000);
        expect(await api.stored(id)).toStrictEqual(job);
        expect(events).toMatchObject([{ previousStatus: status, job: { status: 'pending' } }]);
      },
    );

    test('a failed document without nextRunAt', async () => {
      const id = await api.write({ status: 'failed', failCount: 10 });
      expect((await (await api.monque()).retryJob(id))?.nextRunAt).toBeInstanceOf(Date);
    });

    test.each(except('failed', 'cancelled'))('%s: JobStateError', async (status) => {
      const id = await api.write({ status, nextRunAt: PAST });
      const failure = (await api.monque()).retryJob(id);
      await expect(failure).rejects.toThrow(JobStateError);
      await expect(failure).rejects.toMatchObject({ currentStatus: status, attemptedAction: 'retry' });
    });
  });

  apiSuite(subject, 'rescheduleJob', (api) => {
    test('gives a pending job another time, exactly', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', { n: 1 });
      const moved = await monque.rescheduleJob(job._id, FUTURE);
      expect(moved).toMatchObject({ nextRunAt: FUTURE, status: 'pending', data: { n: 1 } });
      expect(await api.stored(job)).toStrictEqual(moved);
    });

    test.each(except('pending'))('%s: JobStateError', async (status) => {
      const id = await api.write({ status, nextRunAt: PAST });
      const failure = (await api.monque()).rescheduleJob(id, FUTURE);
      await expect(failure).rejects.toThrow(JobStateError);
      await expect(failure).rejects.toMatchObject({ currentStatus: status, attemptedAction: 'reschedule' });
    });

    test('refuses a date that is none', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      await expect(monque.rescheduleJob(job._id, new Date(Number.NaN))).rejects.toMatchObject({
        code: 'MONQUE_INVALID_OPTION',
      });
      expect(await api.stored(job)).toStrictEqual(job);
    });
  });

  apiSuite(subject, 'deleteJob', (api) => {
    test.each(ALL)('any status: %s', async (status) => {
      const id = await api.write({ status, nextRunAt: PAST });
      const monque = await api.monque();
      const events = collect(monque, 'job:deleted');
      expect(await monque.deleteJob(id)).toBe(true);
      expect(await monque.getJob(id)).toBeNull();
      expect(await monque.deleteJob(id)).toBe(false);
      expect(events).toEqual([{ jobId: id }]);
    });
  });

  apiSuite(subject, 'an id', (api) => {
    test('that no job has, or of the wrong form, gives null or false, no error and no event', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      await monque.deleteJob(job._id);
      const events = (['job:cancelled', 'job:retried', 'job:deleted'] as const).map((event) =>
        collect(monque, event),
      );
      for (const id of [job._id, String(job._id), 'nonsense', '', { $ne: null }]) {
        expect(await monque.cancelJob(id)).toBeNull();
        expect(await monque.retryJob(id)).toBeNull();
        expect(await monque.rescheduleJob(id, FUTURE)).toBeNull();
        expect(await monque.deleteJob(id)).toBe(false);
      }
      expect(events.flat()).toEqual([]);
    });
  });
}
