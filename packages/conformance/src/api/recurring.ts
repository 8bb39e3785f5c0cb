import { getNextCronDate, InvalidCronError } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';
import { nextEvent } from './signals.js';

const HOURLY = '0 * * * *';
const DUE = { runAt: new Date('2026-01-01T00:00:00Z') };

export function recurringTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'schedule', (api) => {
    test('keeps the cron text in repeatInterval, and is due at its next time', async () => {
      const monque = await api.monque();
      const now = await api.store.now();
      const job = await monque.schedule('30 4 * * 1', 'report', { type: 'sales' });
      const document = await api.stored(job);
      expect(job).toStrictEqual(document);
      expect(document).toMatchObject({
        name: 'report',
        data: { type: 'sales' },
        status: 'pending',
        failCount: 0,
        repeatInterval: '30 4 * * 1',
        nextRunAt: getNextCronDate('30 4 * * 1', now),
      });
    });

    test('reads the expression in UTC, in the time zone of the instance, or in its own', async () => {
      const monque = await api.monque({ timezone: 'Asia/Tokyo' });
      const inTokyo = await monque.schedule('0 9 * * *', 'a', {});
      const inBerlin = await monque.schedule('0 9 * * *', 'b', {}, { timezone: 'Europe/Berlin' });
      const inUtc = await (await api.monque()).schedule('0 9 * * *', 'c', {});
      expect(inTokyo.nextRunAt.getUTCHours()).toBe(0);
      expect([7, 8]).toContain(inBerlin.nextRunAt.getUTCHours());
      expect((await api.stored(inBerlin)).timezone).toBe('Europe/Berlin');
      expect(inUtc.nextRunAt.getUTCHours()).toBe(9);
    });

    test.each(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])(
      'takes %s',
      async (cron) => {
        const monque = await api.monque();
        const job = await monque.schedule(cron, 'report', {});
        expect(job.repeatInterval).toBe(cron);
        expect(job.nextRunAt.getTime()).toBeGreaterThan((await api.store.now()).getTime());
      },
    );

    test.each(['', 'nonsense', '* * * *', '* * * * * *', '60 * * * *', '0 0 30 2 *', '@reboot', '0 0 * * 9'])(
      'refuses %j with InvalidCronError, before anything is written',
      async (cron) => {
        const monque = await api.monque();
        const failure = monque.schedule(cron, 'report', {});
        await expect(failure).rejects.toThrow(InvalidCronError);
        await expect(failure).rejects.toMatchObject({ expression: cron });
        expect(await api.count()).toBe(0);
      },
    );
  });

  apiSuite(subject, 'a recurring job', (api) => {
    test('reuses its document: after a success it waits for the next cron time', async () => {
      const monque = await api.monque();
      monque.register('report', () => 'fine');
      const job = await monque.schedule(HOURLY, 'report', { type: 'sales' }, { ...DUE, uniqueKey: 'report' });
      monque.start();
      await nextEvent(monque, 'job:complete');
      const now = await api.store.now();
      const document = await api.stored(job);
      expect(document).toMatchObject({
        status: 'pending',
        failCount: 0,
        repeatInterval: HOURLY,
        uniqueKey: 'report',
        nextRunAt: getNextCronDate(HOURLY, now),
      });
      for (const field of ['failReason', 'lockedAt', 'claimedBy', 'lastHeartbeat', 'heartbeatInterval']) {
        expect(document).not.toHaveProperty(field);
      }
      expect(await api.count()).toBe(1);
    });

    test('keeps to its time zone from one occurrence to the next', async () => {
      const monque = await api.monque({ timezone: 'Asia/Tokyo' });
      monque.register('report', () => {});
      const ofInstance = await monque.schedule('0 9 * * *', 'report', {}, DUE);
      const own = await monque.schedule('0 9 * * *', 'report', {}, { ...DUE, timezone: 'Asia/Kolkata' });
      await monque.drain();
      const { nextRunAt: inTokyo } = await api.stored(ofInstance);
      const { nextRunAt: inKolkata } = await api.stored(own);
      expect(inTokyo.toISOString()).toContain('T00:00:00.000Z');
      expect(inKolkata.toISOString()).toContain('T03:30:00.000Z');
    });

    test('that failed and then succeeds takes its next time from the cron text, not from the backoff', async () => {
      const monque = await api.monque({ baseRetryInterval: 1 });
      monque.register('report', (_, { attempt }) => {
        if (attempt === 1) throw new Error('broken');
      });
      const job = await monque.schedule(HOURLY, 'report', {}, DUE);
      monque.start();
      await nextEvent(monque, 'job:complete');
      const document = await api.stored(job);
      expect(document).toMatchObject({ status: 'pending', failCount: 0 });
      expect(document.nextRunAt.getUTCMinutes()).toBe(0);
      expect(document.nextRunAt).toEqual(getNextCronDate(HOURLY, await api.store.now()));
      expect(document).not.toHaveProperty('failReason');
    });

    test('that fails waits for its retry like any other', async () => {
      const monque = await api.monque({ baseRetryInterval: 100_000 });
      monque.register('report', () => {
        throw new Error('broken');
      });
      const job = await monque.schedule(HOURLY, 'report', {}, DUE);
      monque.start();
      await nextEvent(monque, 'job:fail');
      expect(await api.stored(job)).toMatchObject({
        status: 'pending',
        failCount: 1,
        failReason: 'broken',
        repeatInterval: HOURLY,
      });
    });

    test('that exhausts its retries keeps a failed copy, and the series goes on', async () => {
      const monque = await api.monque({ maxRetries: 1 });
      monque.register('report', () => {
        throw new Error('broken');
      });
      const job = await monque.schedule(HOURLY, 'report', { type: 'sales' }, { ...DUE, uniqueKey: 'report' });
      const failed = nextEvent(monque, 'job:fail');
      monque.start();
      const { willRetry } = await failed;
      expect(willRetry).toBe(false);
      const series = await api.stored(job);
      expect(series).toMatchObject({
        status: 'pending',
        failCount: 0,
        repeatInterval: HOURLY,
        nextRunAt: getNextCronDate(HOURLY, await api.store.now()),
      });
      const copies = await monque.getJobs({ status: 'failed' });
      expect(copies).toHaveLength(1);
      expect(copies[0]).toMatchObject({
        name: 'report',
        data: { type: 'sales' },
        failReason: 'broken',
        failCount: 1,
      });
      expect(String(copies[0]?._id)).not.toBe(String(job._id));
    });

    test('fires each occurrence once across processes', async () => {
      const runs: unknown[] = [];
      const instances = [await api.monque(), await api.monque()];
      for (const monque of instances) monque.register('report', ({ data }) => void runs.push(data));
      const job = await instances[0]?.schedule(HOURLY, 'report', {}, DUE);
      for (const monque of instances) monque.start();
      const next = getNextCronDate(HOURLY, await api.store.now());
      await Promise.race(instances.map((monque) => nextEvent(monque, 'job:complete')));
      for (const monque of instances) await monque.stop();
      expect(runs).toHaveLength(1);
      expect((await api.stored(job ?? '')).nextRunAt).toEqual(next);
    });
  });
}
