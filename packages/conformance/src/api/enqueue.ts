import {
  InvalidJobIdentifierError,
  InvalidOptionError,
  InvalidPayloadError,
  PayloadTooLargeError,
} from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';

const FUTURE = new Date('2999-01-02T03:04:05.678Z');
const NEAR_MS = 1_000;

export function enqueueTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'enqueue', (api) => {
    test('stores a document with the fields of a new job and no others', async () => {
      const monque = await api.monque();
      const before = (await api.store.now()).getTime();
      const job = await monque.enqueue('send-email', { to: 'Ada' });
      const document = await api.stored(job);
      expect(job).toStrictEqual(document);
      expect(Object.keys(document).sort()).toEqual(
        ['_id', 'createdAt', 'data', 'failCount', 'name', 'nextRunAt', 'status', 'updatedAt'].sort(),
      );
      expect(document).toMatchObject({
        name: 'send-email',
        data: { to: 'Ada' },
        status: 'pending',
        failCount: 0,
      });
      for (const time of [document.nextRunAt, document.createdAt, document.updatedAt]) {
        expect(Math.abs(time.getTime() - before)).toBeLessThan(NEAR_MS);
      }
    });

    test('nextRunAt is runAt, exactly', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {}, { runAt: FUTURE });
      expect((await api.stored(job)).nextRunAt).toEqual(FUTURE);
      const past = new Date('2020-01-01T00:00:00.001Z');
      expect((await monque.enqueue('work', {}, { runAt: past })).nextRunAt).toEqual(past);
    });

    test('delay counts from now', async () => {
      const monque = await api.monque();
      const now = (await api.store.now()).getTime();
      const { nextRunAt } = await monque.enqueue('work', {}, { delay: 60_000 });
      expect(Math.abs(nextRunAt.getTime() - now - 60_000)).toBeLessThan(NEAR_MS);
    });

    test('now() stores a job that is due at once', async () => {
      const monque = await api.monque();
      const job = await monque.now('work', { n: 1 });
      expect(await api.stored(job)).toMatchObject({ name: 'work', data: { n: 1 }, status: 'pending' });
      expect(job.nextRunAt.getTime()).toBeLessThanOrEqual((await api.store.now()).getTime() + 50);
    });

    test('stores options only where they are given, and a priority of 0 not at all', async () => {
      const monque = await api.monque();
      const options = {
        priority: -2,
        maxRetries: 3,
        timeout: 5_000,
        backoff: { type: 'fixed', delay: 10 },
      } as const;
      expect(await api.stored(await monque.enqueue('work', {}, options))).toMatchObject(options);
      const plain = await api.stored(await monque.enqueue('work', {}, { priority: 0 }));
      expect(plain).not.toHaveProperty('priority');
    });

    test('many calls at once store each job once', async () => {
      const monque = await api.monque();
      const jobs = await Promise.all(Array.from({ length: 300 }, (_, n) => monque.enqueue('work', { n })));
      expect(new Set(jobs.map(({ _id }) => String(_id))).size).toBe(300);
      expect(jobs.map(({ data }) => data.n)).toEqual(Array.from({ length: 300 }, (_, n) => n));
      expect(await api.count()).toBe(300);
    });

    test('an id is found in its own form and as text', async () => {
      const monque = await api.monque();
      const job = await monque.enqueue('work', {});
      expect(await monque.getJob(job._id)).toStrictEqual(job);
      expect(await monque.getJob(String(job._id))).toStrictEqual(job);
    });
  });

  apiSuite(subject, 'enqueue refuses, before anything is written,', (api) => {
    test.each(['', ' ', 'two words', 'tab\tbed', 'new\nline', 'bell\u0007', 'x'.repeat(256)])(
      'the name %j',
      async (name) => {
        const monque = await api.monque();
        const failure = monque.enqueue(name, {});
        await expect(failure).rejects.toThrow(InvalidJobIdentifierError);
        await expect(failure).rejects.toMatchObject({ field: 'name', value: name });
        await expect(monque.schedule('* * * * *', name, {})).rejects.toThrow(InvalidJobIdentifierError);
        expect(await api.count()).toBe(0);
      },
    );

    test.each(['', '   ', '\t', 'bell\u0007', 'x'.repeat(1_025)])('the unique key %j', async (uniqueKey) => {
      const monque = await api.monque();
      const failure = monque.enqueue('work', {}, { uniqueKey });
      await expect(failure).rejects.toThrow(InvalidJobIdentifierError);
      await expect(failure).rejects.toMatchObject({ field: 'uniqueKey', value: uniqueKey });
      expect(await api.count()).toBe(0);
    });

    test('nothing that is within the limits', async () => {
      const monque = await api.monque();
      await monque.enqueue('x'.repeat(255), {}, { uniqueKey: 'k'.repeat(1_024) });
      await monque.enqueue('Größe.v2/ok-1_2:3', {}, { uniqueKey: 'two words' });
      expect(await api.count()).toBe(2);
    });

    const badOptions: readonly Record<string, unknown>[] = [
      { runAt: new Date(Number.NaN) },
      { runAt: 'tomorrow' },
      { delay: -1 },
      { delay: Number.NaN },
      { delay: 5, runAt: FUTURE },
      { priority: 1.5 },
      { priority: 'high' },
      { maxRetries: -1 },
      { timeout: 0 },
      { timeout: Number.POSITIVE_INFINITY },
      { backoff: { type: 'random' } },
      { onDuplicate: 'explode' },
      { hold: 'yes' },
      { unknown: true },
    ];
    test.each(badOptions)('the options %j', async (options) => {
      const monque = await api.monque();
      await expect(monque.enqueue('work', {}, options as never)).rejects.toThrow(InvalidOptionError);
      expect(await api.count()).toBe(0);
    });

    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const badPayloads: readonly { what: string; data: unknown }[] = [
      { what: 'a function', data: { run: () => {} } },
      { what: 'a symbol', data: { tag: Symbol('x') } },
      { what: 'a cycle', data: circular },
    ];
    test.each(badPayloads)('a payload with $what', async ({ data }) => {
      const monque = await api.monque();
      await expect(monque.enqueue('work', data)).rejects.toThrow(InvalidPayloadError);
      expect(await api.count()).toBe(0);
    });

    test('a payload that is too large, with both sizes', async () => {
      const monque = await api.monque({ maxPayloadSize: 1_000 });
      const error = await monque
        .enqueue('work', { text: 'x'.repeat(2_000) })
        .catch((thrown: unknown) => thrown);
      if (!(error instanceof PayloadTooLargeError)) throw new Error('A PayloadTooLargeError was expected');
      expect(error.maxSize).toBe(1_000);
      expect(error.actualSize).toBeGreaterThan(2_000);
      expect(await api.count()).toBe(0);
      await monque.enqueue('work', { text: 'x'.repeat(500) });
    });
  });
}
