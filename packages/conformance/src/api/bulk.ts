import { InvalidSelectorError, type JobSelector, type Monque } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect } from './signals.js';

const PAST = new Date('2026-01-01T00:00:00Z');
const after = (milliseconds: number) => new Date(PAST.getTime() + milliseconds);

const CALLS = {
  cancelJobs: (monque: Monque<unknown>, selector: JobSelector) => monque.cancelJobs(selector),
  retryJobs: (monque: Monque<unknown>, selector: JobSelector) => monque.retryJobs(selector),
  deleteJobs: (monque: Monque<unknown>, selector: JobSelector) => monque.deleteJobs(selector),
};

export function bulkTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'cancelJobs, retryJobs, deleteJobs', (api) => {
    const writeAll = async () => {
      for (const status of ['pending', 'processing', 'completed', 'failed', 'cancelled', 'created']) {
        await api.write({ status, nextRunAt: PAST, name: 'a', failReason: 'broken', failCount: 2 });
        await api.write({ status, nextRunAt: PAST, name: 'b' });
      }
    };

    test('cancelJobs cancels the pending ones, and skips the others', async () => {
      await writeAll();
      const monque = await api.monque();
      const events = collect(monque, 'jobs:cancelled');
      expect(await monque.cancelJobs({ name: 'a' })).toEqual({ count: 1, errors: [] });
      expect(events).toEqual([{ count: 1 }]);
      expect((await api.store.counts('a')).byStatus).toMatchObject({ cancelled: 2, processing: 1 });
      expect((await api.store.counts('b')).byStatus).toMatchObject({ cancelled: 1, pending: 1 });
    });

    test('retryJobs sets failed and cancelled ones to run again', async () => {
      await writeAll();
      const monque = await api.monque();
      const events = collect(monque, 'jobs:retried');
      expect(await monque.retryJobs({ name: 'a' })).toEqual({ count: 2, errors: [] });
      expect(events).toEqual([{ count: 2 }]);
      const pending = await monque.getJobs({ name: 'a', status: 'pending' });
      expect(pending).toHaveLength(3);
      expect(pending.filter(({ failCount }) => failCount === 0)).toHaveLength(2);
      expect(pending.filter((job) => 'failReason' in job)).toHaveLength(1);
    });

    test('deleteJobs removes any status, and their logs', async () => {
      await writeAll();
      const monque = await api.monque();
      const events = collect(monque, 'jobs:deleted');
      expect(await monque.deleteJobs({ name: 'a', status: ['completed', 'processing'] })).toEqual({
        count: 2,
        errors: [],
      });
      expect(await monque.deleteJobs({ name: 'b' })).toEqual({ count: 6, errors: [] });
      expect(events).toEqual([{ count: 2 }, { count: 6 }]);
      expect(await api.count()).toBe(4);
    });

    test.each(Object.entries(CALLS))(
      '%s with an empty selector means all that are eligible',
      async (name, call) => {
        await writeAll();
        const expected = { cancelJobs: 2, retryJobs: 4, deleteJobs: 12 }[name];
        expect(await call(await api.monque(), {})).toEqual({ count: expected, errors: [] });
      },
    );

    test.each(Object.entries(CALLS))('%s with nothing to do tells nothing', async (_, call) => {
      const monque = await api.monque();
      const events = (['jobs:cancelled', 'jobs:retried', 'jobs:deleted'] as const).map((event) =>
        collect(monque, event),
      );
      expect(await call(monque, { name: 'nobody' })).toEqual({ count: 0, errors: [] });
      expect(events.flat()).toEqual([]);
    });

    test('olderThan and newerThan go by createdAt', async () => {
      for (let n = 0; n < 10; n++) await api.write({ nextRunAt: PAST, createdAt: after(n * 1_000), data: n });
      const monque = await api.monque();
      expect((await monque.cancelJobs({ olderThan: after(2_500) })).count).toBe(3);
      expect((await monque.cancelJobs({ newerThan: after(7_500) })).count).toBe(2);
      expect((await monque.cancelJobs({ newerThan: after(3_500), olderThan: after(5_500) })).count).toBe(2);
      const left = await monque.getJobs({ status: 'pending' });
      expect(left.map(({ data }) => data).sort()).toEqual([3, 6, 7]);
    });

    test('thousands of jobs in one call, told once, before it resolves', async () => {
      const monque = await api.monque();
      await monque.enqueueMany(Array.from({ length: 3_500 }, (_, n) => ({ name: 'work', data: n })));
      const events = collect(monque, 'jobs:cancelled');
      expect(await monque.cancelJobs({ name: 'work' })).toEqual({ count: 3_500, errors: [] });
      expect(events).toEqual([{ count: 3_500 }]);
      expect((await monque.deleteJobs({ status: 'cancelled' })).count).toBe(3_500);
    });

    test.each(Object.entries(CALLS))(
      '%s works through thousands of documents of others, which lack their times',
      async (name, call) => {
        const status = name === 'cancelJobs' ? 'pending' : 'failed';
        const document = { status, createdAt: undefined, updatedAt: undefined };
        // More than one batch.
        for (let n = 0; n < 22; n++) await Promise.all(Array.from({ length: 50 }, () => api.write(document)));
        expect((await call(await api.monque(), { name: 'work' })).count).toBe(1_100);
      },
    );

    test('retryJobs passes over those whose unique key is taken meanwhile', async () => {
      const monque = await api.monque();
      for (const uniqueKey of ['a', 'b', 'c']) {
        await api.write({ status: 'failed', nextRunAt: PAST, uniqueKey });
        if (uniqueKey !== 'c') await monque.enqueue('work', {}, { uniqueKey });
      }
      expect((await monque.retryJobs({})).count).toBe(1);
      expect((await api.store.counts()).byStatus).toEqual({ pending: 3, failed: 2 });
    });
  });

  apiSuite(subject, 'a selector', (api) => {
    const bad: readonly unknown[] = [
      { name: { $ne: null } },
      { name: 42 },
      { name: ['a'] },
      { status: { $in: ['pending'] } },
      { status: 'unknown' },
      { status: [{ $gt: '' }] },
      { olderThan: { $gt: 0 } },
      { olderThan: 'yesterday' },
      { newerThan: new Date(Number.NaN) },
      { $where: 'true' },
      { unknown: 1 },
      // Given, and yet nothing: a value that went missing must not mean all jobs.
      { name: undefined },
      { name: 'work', status: undefined },
      { olderThan: undefined },
      { newerThan: undefined },
      'work',
      null,
      [],
    ];
    test.each(bad.map((selector) => ({ selector })))(
      'with an unknown key or a value of the wrong type is refused, and changes nothing: $selector',
      async ({ selector }) => {
        await api.write({ nextRunAt: PAST });
        await api.write({ nextRunAt: PAST, status: 'failed' });
        const monque = await api.monque();
        for (const call of Object.values(CALLS)) {
          await expect(call(monque, selector as JobSelector)).rejects.toThrow(InvalidSelectorError);
        }
        expect((await api.store.counts()).byStatus).toEqual({ pending: 1, failed: 1 });
      },
    );
  });
}
