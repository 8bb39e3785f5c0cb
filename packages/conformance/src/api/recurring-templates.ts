import { ConnectionError, getNextCronDate } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite, type Instances } from './instances.js';
import { collect } from './signals.js';

/** Fires long after every test has ended. */
const YEARLY = { cron: '0 0 1 1 *', name: 'report' };

export function recurringTemplateTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'recurring templates', manageTests);
}

function manageTests(api: Instances): void {
  test('every call rejects before initialize()', async () => {
    const { recurring } = await api.fresh();
    for (const call of [
      recurring.upsert('id', YEARLY),
      recurring.get('id'),
      recurring.list(),
      recurring.pause('id'),
      recurring.resume('id'),
      recurring.trigger('id'),
      recurring.remove('id'),
    ]) {
      await expect(call).rejects.toThrow(ConnectionError);
    }
  });

  test('null, or false, for one that does not exist', async () => {
    const { recurring } = await api.monque();
    expect(await recurring.get('id')).toBeNull();
    expect(await recurring.pause('id')).toBeNull();
    expect(await recurring.resume('id')).toBeNull();
    expect(await recurring.trigger('id')).toBeNull();
    expect(await recurring.remove('id')).toBe(false);
  });

  test('pause keeps it from firing, resume counts from now, and both may be said twice', async () => {
    const monque = await api.monque();
    await monque.recurring.upsert('report', YEARLY);
    await api.writeTemplate('report', { nextExecution: new Date('2026-01-02T03:04:05Z') });
    const paused = await monque.recurring.pause('report');
    expect(paused?.enabled).toBe(false);
    expect(await monque.recurring.pause('report')).toStrictEqual(paused);
    const resumed = await monque.recurring.resume('report');
    expect(resumed?.enabled).toBe(true);
    expect(resumed?.nextExecution).toEqual(getNextCronDate(YEARLY.cron, resumed?.updatedAt));
    expect(await monque.recurring.resume('report')).toStrictEqual(resumed);
  });

  test('trigger makes a job now, also of a paused one, and leaves the schedule', async () => {
    const monque = await api.monque();
    const fired = collect(monque, 'recurring:fired');
    const { nextExecution } = await monque.recurring.upsert('report', {
      ...YEARLY,
      data: { region: 'EU' },
      maxRetries: 2,
      enabled: false,
    });
    const job = await monque.recurring.trigger('report');
    const second = await monque.recurring.trigger('report');
    expect(String(second?._id)).not.toBe(String(job?._id));
    expect(await api.stored(job ?? '')).toMatchObject({
      name: 'report',
      data: { region: 'EU' },
      maxRetries: 2,
      status: 'pending',
      recurringId: 'report',
    });
    expect(await monque.recurring.get('report')).toMatchObject({
      nextExecution,
      lastExecution: second?.nextRunAt,
      enabled: false,
    });
    expect(fired.map(({ id }) => id)).toEqual(['report', 'report']);
  });

  test('list tells the next times and how the latest job ended', async () => {
    const monque = await api.monque({ maxRetries: 1 });
    monque.register('report', () => {
      throw new Error('no paper');
    });
    await monque.recurring.upsert('b-report', { ...YEARLY, cron: '@daily' });
    await monque.recurring.upsert('a-paused', { ...YEARLY, enabled: false });
    const job = await monque.recurring.trigger('b-report');
    await monque.drain();
    const [paused, report] = await monque.recurring.list();
    expect(paused).toMatchObject({ id: 'a-paused', nextTimes: [] });
    expect(paused).not.toHaveProperty('lastJob');
    expect(report).toMatchObject({ id: 'b-report', lastJob: { status: 'failed', failReason: 'no paper' } });
    expect(String(report?.lastJob?.id)).toBe(String(job?._id));
    const days = report?.nextTimes.map((time) => time.getTime() - (report.nextTimes[0]?.getTime() ?? 0));
    expect(days).toEqual([0, 1, 2, 3, 4].map((day) => day * 86_400_000));
    await monque.deleteJob(job?._id ?? '');
    expect((await monque.recurring.list())[1]).not.toHaveProperty('lastJob');
  });

  test('remove ends it, and its jobs stay', async () => {
    const monque = await api.monque();
    await monque.recurring.upsert('report', YEARLY);
    await monque.recurring.trigger('report');
    expect(await monque.recurring.remove('report')).toBe(true);
    expect(await monque.recurring.get('report')).toBeNull();
    expect(await api.count()).toBe(1);
  });
}
