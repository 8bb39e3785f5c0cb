import { defineJob, getNextCronDate, InvalidCronError, InvalidOptionError } from '@monque/core';
import { expect, test } from 'vitest';
import { onEveryStore } from '../facade/instances.js';

onEveryStore('schedule', (make) => {
  test('keeps the cron text and is due at its next time', async () => {
    const monque = await make();
    const { _id } = await monque.schedule('30 4 * * *', 'report', { n: 1 });
    const job = await monque.getJob(_id);
    expect(job).toMatchObject({
      name: 'report',
      status: 'pending',
      repeatInterval: '30 4 * * *',
      data: { n: 1 },
    });
    expect(job?.nextRunAt).toEqual(getNextCronDate('30 4 * * *', job?.createdAt));
  });

  test('stores no time zone where nobody named one', async () => {
    const monque = await make();
    expect(await monque.schedule('@daily', 'report', null)).not.toHaveProperty('timezone');
  });

  test("stores the instance's time zone, since another process may have another", async () => {
    const monque = await make({ timezone: 'Asia/Tokyo' });
    const job = await monque.schedule('0 9 * * *', 'report', null);
    expect(job.timezone).toBe('Asia/Tokyo');
    expect(job.nextRunAt.getUTCHours()).toBe(0);
  });

  test("stores the call's own time zone, also where it is UTC", async () => {
    const monque = await make({ timezone: 'Asia/Tokyo' });
    const job = await monque.schedule('0 9 * * *', 'report', null, { timezone: 'UTC' });
    expect(job.timezone).toBe('UTC');
    expect(job.nextRunAt.getUTCHours()).toBe(9);
  });

  test('runAt takes the place of the first time', async () => {
    const monque = await make();
    const runAt = new Date('2031-01-01T00:00:01.234Z');
    expect((await monque.schedule('@daily', 'report', null, { runAt })).nextRunAt).toEqual(runAt);
  });

  test('a taken unique key gives the existing job', async () => {
    const monque = await make();
    const first = await monque.schedule('@daily', 'report', { n: 1 }, { uniqueKey: 'k' });
    expect(await monque.schedule('@hourly', 'report', { n: 2 }, { uniqueKey: 'k' })).toEqual(first);
  });

  test('takes a definition in place of a name', async () => {
    const monque = await make();
    const report = defineJob<null>('report', { timeout: 500 });
    expect(await monque.schedule('@daily', report, null)).toMatchObject({ name: 'report', timeout: 500 });
  });

  test.each(['', 'nonsense', '* * * *', '* * * * * *', '0 0 31 2 *', '61 * * * *'])(
    'refuses %j before anything is written',
    async (cron) => {
      const monque = await make();
      await expect(monque.schedule(cron, 'report', null)).rejects.toThrow(InvalidCronError);
      expect(await monque.getJobs()).toEqual([]);
    },
  );

  test('refuses options of enqueue that mean nothing here', async () => {
    const monque = await make();
    const options = { delay: 5 } as object;
    await expect(monque.schedule('@daily', 'report', null, options)).rejects.toThrow(InvalidOptionError);
  });
});
