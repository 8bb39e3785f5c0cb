import { DuplicateJobError } from '@monque/core';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { collect, gate, whenStarted } from './signals.js';

const KEY = { uniqueKey: 'sync-user-123' };
const FUTURE = new Date('2999-01-01T00:00:00Z');

export function uniquenessTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'a unique key', (api) => {
    test('a duplicate of a pending job resolves to it, unchanged, with its own data', async () => {
      const monque = await api.monque();
      const first = await monque.enqueue('sync', { n: 1 }, KEY);
      expect(first.uniqueKey).toBe(KEY.uniqueKey);
      const second = await monque.enqueue('sync', { n: 2 }, { ...KEY, runAt: FUTURE, priority: 4 });
      expect(second).toStrictEqual(first);
      expect(await api.stored(first)).toStrictEqual(first);
      expect(await api.count()).toBe(1);
    });

    test('a duplicate of a processing job resolves to it', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('sync', () => opened);
      monque.start();
      const first = await whenStarted(monque, monque.enqueue('sync', { n: 1 }, KEY));
      const second = await monque.enqueue('sync', { n: 2 }, KEY);
      open();
      expect(String(second._id)).toBe(String(first._id));
      expect(second).toMatchObject({ status: 'processing', data: { n: 1 } });
      expect(await api.count()).toBe(1);
    });

    test('completed, failed and cancelled jobs do not block', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register<string>('sync', ({ data }) => {
        if (data === 'fails') throw new Error('broken');
      });
      const completed = await monque.enqueue('sync', 'works', KEY);
      await monque.drain();
      const failed = await monque.enqueue('sync', 'fails', KEY);
      await monque.drain();
      const cancelled = await monque.enqueue('sync', 'works', KEY);
      await monque.cancelJob(cancelled._id);
      const last = await monque.enqueue('sync', 'works', KEY);
      const all = [completed, failed, cancelled, last];
      expect(new Set(all.map(({ _id }) => String(_id))).size).toBe(4);
      const statuses = (await Promise.all(all.map((job) => api.stored(job)))).map(({ status }) => status);
      expect(statuses).toEqual(['completed', 'failed', 'cancelled', 'pending']);
    });

    test('is one per name', async () => {
      const monque = await api.monque();
      const a = await monque.enqueue('a', {}, KEY);
      const b = await monque.enqueue('b', {}, KEY);
      expect(String(a._id)).not.toBe(String(b._id));
    });

    test('holds for schedule() as well, and between both', async () => {
      const monque = await api.monque();
      const first = await monque.schedule('0 * * * *', 'sync', { n: 1 }, KEY);
      const second = await monque.schedule('5 * * * *', 'sync', { n: 2 }, KEY);
      const third = await monque.enqueue('sync', { n: 3 }, KEY);
      expect(second).toStrictEqual(first);
      expect(third).toStrictEqual(first);
    });

    test('fifty calls at once on two processes give one job and no error', async () => {
      const instances = [await api.monque(), await api.monque()];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => instances[n % 2]?.enqueue('sync', { n }, KEY)),
      );
      expect(new Set(answers.map((job) => String(job?._id))).size).toBe(1);
      expect(await api.count()).toBe(1);
    });

    test('holds while jobs are being processed: never two at the same time', async () => {
      const monque = await api.monque();
      const errors = collect(monque, 'job:error');
      let running = 0;
      let most = 0;
      monque.register('sync', async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
      monque.start();
      for (let round = 0; round < 30; round++) {
        await Promise.all(Array.from({ length: 4 }, () => monque.enqueue('sync', {}, KEY)));
      }
      await eventually(() => expect(most).toBeGreaterThan(0));
      await monque.stop();
      expect(most).toBe(1);
      expect(errors).toEqual([]);
    });
  });

  apiSuite(subject, 'onDuplicate', (api) => {
    test('replace puts data and options into a pending job', async () => {
      const monque = await api.monque();
      const first = await monque.enqueue('sync', { n: 1 }, { ...KEY, priority: 3 });
      const second = await monque.enqueue(
        'sync',
        { n: 2 },
        { ...KEY, runAt: FUTURE, onDuplicate: 'replace' },
      );
      expect(String(second._id)).toBe(String(first._id));
      const document = await api.stored(first);
      expect(second).toStrictEqual(document);
      expect(document).toMatchObject({ data: { n: 2 }, nextRunAt: FUTURE, createdAt: first.createdAt });
      expect(document).not.toHaveProperty('priority');
      expect(await api.count()).toBe(1);
    });

    test('replace keeps a processing job', async () => {
      const monque = await api.monque();
      const { opened, open } = gate();
      monque.register('sync', () => opened);
      monque.start();
      const first = await whenStarted(monque, monque.enqueue('sync', { n: 1 }, KEY));
      const second = await monque.enqueue('sync', { n: 2 }, { ...KEY, onDuplicate: 'replace' });
      open();
      expect(second).toMatchObject({ _id: first._id, status: 'processing', data: { n: 1 } });
    });

    test('reject fails with DuplicateJobError and the id of the existing job', async () => {
      const monque = await api.monque();
      const first = await monque.enqueue('sync', { n: 1 }, { ...KEY, onDuplicate: 'reject' });
      const failure = monque.enqueue('sync', { n: 2 }, { ...KEY, onDuplicate: 'reject' });
      await expect(failure).rejects.toThrow(DuplicateJobError);
      await expect(failure).rejects.toMatchObject({ existingId: String(first._id) });
      expect(await api.stored(first)).toStrictEqual(first);
    });

    test('keep is the default', async () => {
      const monque = await api.monque();
      const first = await monque.enqueue('sync', { n: 1 }, KEY);
      expect(await monque.enqueue('sync', { n: 2 }, { ...KEY, onDuplicate: 'keep' })).toStrictEqual(first);
    });
  });
}
