import { Monque, MonqueError, memory } from '@monque/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * What may be of any size, and what happens beyond the limit. A limit that can be passed, or a pattern that runs away,
 * shows here as a test that does not end.
 */
describe('No input is large enough to exhaust the process', () => {
  const monque = new Monque(memory(), { maxPayloadSize: 100_000 });
  beforeAll(() => monque.initialize());
  afterAll(() => monque.close());

  const HUGE = 'a'.repeat(5_000_000);
  const refusals: readonly (readonly [string, () => unknown])[] = [
    ['a long name', () => monque.enqueue(HUGE, {})],
    ['a name that almost fits a pattern', () => monque.enqueue(`${'a-'.repeat(500_000)}!`, {})],
    ['a long unique key', () => monque.enqueue('work', {}, { uniqueKey: HUGE })],
    ['a large payload', () => monque.enqueue('work', { text: HUGE })],
    ['a payload of many small parts', () => monque.enqueue('work', Array(1_000_000).fill({}))],
    ['a payload of many keys', () => monque.enqueue('work', manyKeys(200_000))],
    ['a deep payload', () => monque.enqueue('work', deep(100_000))],
    ['a payload that shares one part many times over', () => monque.enqueue('work', bomb(40))],
    [
      'a large batch with one bad item',
      () => monque.enqueueMany(items(50_000).concat({ name: '', data: {} })),
    ],
    ['a long cron expression', () => monque.schedule('*/1,'.repeat(500_000), 'work', {})],
    ['a cron list of many', () => monque.schedule(`${'1,'.repeat(500_000)}1 * * * *`, 'work', {})],
    ['a long time zone', () => monque.schedule('0 0 * * *', 'work', {}, { timezone: HUGE })],
    ['a page of everything', () => monque.getJobs({ limit: Number.MAX_SAFE_INTEGER })],
    ['a cursor page of everything', () => monque.getJobsWithCursor({ limit: 1e9 })],
    ['a long cursor', () => monque.getJobsWithCursor({ cursor: HUGE })],
    ['a cursor that unpacks to much', () => monque.getJobsWithCursor({ cursor: encoded(deep(5_000)) })],
    ['a wait of forever and a day', () => monque.waitForJob('id', { timeout: Number.POSITIVE_INFINITY })],
    ['a concurrency beyond counting', () => monque.register('work', () => {}, { concurrency: 1e300 })],
  ];

  test.each(refusals)('%s is refused', async (_what, call) => {
    await expect((async () => call())()).rejects.toBeInstanceOf(MonqueError);
    expect(await monque.getJobs()).toEqual([]);
  });

  test('a status named a hundred thousand times counts once', async () => {
    expect(await monque.getJobs({ status: Array(100_000).fill('pending') })).toEqual([]);
    expect(await monque.cancelJobs({ status: Array(100_000).fill('pending') })).toMatchObject({ count: 0 });
  });

  test.each([HUGE, `${HUGE}0`, '0'.repeat(1_000_000)])('a long id is no id (%#)', async (id) => {
    expect(await monque.getJob(id)).toBeNull();
    expect(await monque.deleteJob(id)).toBe(false);
  });
});

function items(count: number): { name: string; data: object }[] {
  return Array.from({ length: count }, () => ({ name: 'work', data: {} }));
}

function manyKeys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}

function deep(depth: number): object {
  let value: object = {};
  for (let index = 0; index < depth; index++) value = { value };
  return value;
}

/** Small in memory, and 2^depth parts once it is written out. */
function bomb(depth: number): object {
  let value: object = {};
  for (let index = 0; index < depth; index++) value = { one: value, other: value };
  return value;
}

function encoded(value: object): string {
  let text = '{}';
  for (let part: object | undefined = value; part !== undefined; part = Reflect.get(part, 'value')) {
    text = `{"value":${text}}`;
  }
  return Buffer.from(text).toString('base64url');
}
