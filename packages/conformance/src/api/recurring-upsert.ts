import { defineJob, getNextCronDate, type RecurringOptions } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite, type Instances } from './instances.js';

/** Fires long after every test has ended. */
const YEARLY = { cron: '0 0 1 1 *', name: 'report' };

export function recurringUpsertTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'recurring.upsert', upsertTests);
}

function upsertTests(api: Instances): void {
  test('stores a template, with its next time and the defaults', async () => {
    const monque = await api.monque();
    const template = await monque.recurring.upsert('yearly', { ...YEARLY, data: { region: 'EU' } });
    const { createdAt } = template;
    expect(template).toStrictEqual({
      id: 'yearly',
      ...YEARLY,
      data: { region: 'EU' },
      timezone: 'UTC',
      misfire: 'once',
      enabled: true,
      nextExecution: getNextCronDate(YEARLY.cron, createdAt),
      createdAt,
      updatedAt: createdAt,
    });
    expect(await monque.recurring.get('yearly')).toStrictEqual(template);
  });

  test('keeps what it is given; a definition brings its name and its attempts', async () => {
    const monque = await api.monque({ timezone: 'Asia/Tokyo' });
    const definition = defineJob<{ region: string }>('report', { maxRetries: 7 });
    const own = await monque.recurring.upsert('own', {
      cron: '@daily',
      name: definition,
      data: { region: 'EU' },
      timezone: 'Europe/Berlin',
      maxRetries: 2,
      enabled: false,
      misfire: 'skip',
    });
    expect(own).toMatchObject({
      cron: '@daily',
      name: 'report',
      timezone: 'Europe/Berlin',
      maxRetries: 2,
      enabled: false,
      misfire: 'skip',
    });
    const inherited = await monque.recurring.upsert('inherited', {
      cron: '@daily',
      name: definition,
      data: { region: 'EU' },
    });
    expect(inherited).toMatchObject({ timezone: 'Asia/Tokyo', maxRetries: 7 });
    expect(inherited.nextExecution?.getUTCHours()).toBe(15);
  });

  test('with the same values changes nothing, from whichever process', async () => {
    const options = { ...YEARLY, data: { at: new Date(5), nested: { b: [1, null], a: 'ä' } }, maxRetries: 3 };
    const first = await (await api.monque()).recurring.upsert('yearly', options);
    const again = await (await api.monque()).recurring.upsert('yearly', {
      ...options,
      data: { nested: { a: 'ä', b: [1, null] }, at: new Date(5) },
    });
    expect(again).toStrictEqual(first);
  });

  test('leaves the next time where the schedule stays, and counts from now where it changes', async () => {
    const monque = await api.monque();
    await monque.recurring.upsert('report', YEARLY);
    const nextExecution = new Date('2026-01-02T03:04:05Z');
    await api.writeTemplate('report', { nextExecution });
    const other = await monque.recurring.upsert('report', { ...YEARLY, data: 2 });
    expect(other).toMatchObject({ data: 2, nextExecution });
    const moved = await monque.recurring.upsert('report', { ...YEARLY, data: 2, timezone: 'Asia/Tokyo' });
    expect(moved.nextExecution).toEqual(getNextCronDate(YEARLY.cron, moved.updatedAt, 'Asia/Tokyo'));
    const monthly = await monque.recurring.upsert('report', { ...YEARLY, cron: '@monthly' });
    expect(monthly.nextExecution).toEqual(getNextCronDate('@monthly', monthly.updatedAt));
  });

  test('resumes nothing that somebody has paused, unless it says so', async () => {
    const monque = await api.monque();
    await monque.recurring.upsert('report', YEARLY);
    await monque.recurring.pause('report');
    expect(await monque.recurring.upsert('report', { ...YEARLY, data: 1 })).toMatchObject({ enabled: false });
    expect(await monque.recurring.upsert('report', { ...YEARLY, data: 1, enabled: true })).toMatchObject({
      enabled: true,
    });
  });

  test.each<[string, string, Partial<Record<keyof RecurringOptions, unknown>>, string]>([
    ['an empty id', '', {}, 'InvalidOptionError'],
    ['an id that is too long', 'x'.repeat(201), {}, 'InvalidOptionError'],
    ['an id with white space around it', ' id', {}, 'InvalidOptionError'],
    ['an id with control characters', 'a\nb', {}, 'InvalidOptionError'],
    ['no cron text', 'id', { cron: undefined }, 'InvalidCronError'],
    ['a bad cron text', 'id', { cron: '61 * * * *' }, 'InvalidCronError'],
    ['a cron text that never fires', 'id', { cron: '0 0 31 2 *' }, 'InvalidCronError'],
    ['seven fields', 'id', { cron: '* * * * * * *' }, 'InvalidCronError'],
    ['a cron text of 101 characters', 'id', { cron: `${'0,'.repeat(46)}0 * * * *` }, 'InvalidCronError'],
    ['an unknown time zone', 'id', { timezone: 'Middle/Earth' }, 'InvalidOptionError'],
    ['a bad name', 'id', { name: 'two words' }, 'InvalidJobIdentifierError'],
    ['a payload that cannot be stored', 'id', { data: () => 1 }, 'InvalidPayloadError'],
    ['a bad number of attempts', 'id', { maxRetries: -1 }, 'InvalidOptionError'],
    ['a bad flag', 'id', { enabled: 'yes' }, 'InvalidOptionError'],
    ['a bad misfire', 'id', { misfire: 'twice' }, 'InvalidOptionError'],
    ['an unknown option', 'id', { uniqueKey: 'x' } as never, 'InvalidOptionError'],
  ])('refuses %s before anything is written', async (_, id, options, error) => {
    const monque = await api.monque();
    const given = { ...YEARLY, ...options } as RecurringOptions & { name: string };
    await expect(monque.recurring.upsert(id, given)).rejects.toMatchObject({ name: error });
    expect(await monque.recurring.list()).toEqual([]);
  });

  test('checks the payload by the schema of its definition', async () => {
    const monque = await api.monque();
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) =>
          typeof value === 'number' ? { value } : { issues: [{ message: 'no number' }] },
      },
    } as const;
    const name = defineJob('report', { schema });
    await expect(monque.recurring.upsert('id', { ...YEARLY, name, data: 'five' })).rejects.toMatchObject({
      name: 'InvalidPayloadError',
    });
    expect(await monque.recurring.list()).toEqual([]);
  });
}
