import { InvalidSelectorError } from '@monque/core';
import { expect, test } from 'vitest';
import { onEveryStore } from '../facade/instances.js';

onEveryStore('queries', (make) => {
  test('getJob takes an id in either form, and answers null for none or for nonsense', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', { n: 1 });
    expect(await monque.getJob(_id)).toMatchObject({ data: { n: 1 } });
    expect(await monque.getJob(String(_id))).toMatchObject({ data: { n: 1 } });
    await monque.deleteJob(_id);
    expect(await monque.getJob(_id)).toBeNull();
    for (const wrong of ['', 'nonsense', 7, null, undefined, {}, { $ne: null }, []]) {
      expect(await monque.getJob(wrong)).toBeNull();
    }
  });

  test('getJobs sorts by due time', async () => {
    const monque = await make();
    for (const n of [3, 1, 2]) await monque.enqueue('a', n, { runAt: new Date(2030, 0, n) });
    expect((await monque.getJobs()).map(({ data }) => data)).toEqual([1, 2, 3]);
  });

  test('getJobs filters by name and by one status or several', async () => {
    const monque = await make();
    await monque.enqueue('a', 1);
    const { _id } = await monque.enqueue('a', 2);
    await monque.cancelJob(_id);
    await monque.enqueue('b', 3, { hold: true });
    const dataOf = async (filter: Parameters<typeof monque.getJobs>[0]) =>
      (await monque.getJobs(filter)).map(({ data }) => data).sort();
    expect(await dataOf({})).toEqual([1, 2, 3]);
    expect(await dataOf({ name: 'a' })).toEqual([1, 2]);
    expect(await dataOf({ status: 'cancelled' })).toEqual([2]);
    expect(await dataOf({ name: 'a', status: ['cancelled', 'pending', 'created'] })).toEqual([1, 2]);
    expect(await dataOf({ status: [] })).toEqual([]);
  });

  test('getJobs lists a hundred jobs unless told otherwise', async () => {
    const monque = await make();
    await monque.enqueueMany(
      Array.from({ length: 120 }, (_, n) => ({
        name: 'a',
        data: n,
        options: { runAt: new Date(2030, 0, 1, 0, n) },
      })),
    );
    expect(await monque.getJobs()).toHaveLength(100);
    const rest = await monque.getJobs({ limit: 10_000, skip: 115 });
    expect(rest.map(({ data }) => data)).toEqual([115, 116, 117, 118, 119]);
  });

  test.each([
    { name: { $ne: null } },
    { name: 7 },
    { name: null },
    { status: { $ne: 'x' } },
    { status: 'unknown' },
    { status: ['pending', { $gt: '' }] },
    { limit: 0 },
    { limit: 10_001 },
    { limit: 1.5 },
    { limit: '5' },
    { limit: { $gt: 0 } },
    { skip: -1 },
    { $where: 'true' },
    { names: 'a' },
    [],
    'a',
    new Map([['name', 'a']]),
    Promise.resolve({}),
  ])('getJobs refuses the filter %j', async (filter) => {
    const monque = await make();
    await expect(monque.getJobs(filter as never)).rejects.toThrow(InvalidSelectorError);
  });

  test('getJobLogs tells of every failed attempt, and nothing of a job that is not there', async () => {
    const monque = await make({ maxRetries: 2, baseRetryInterval: 0 });
    monque.register('a', (_, { attempt }) => {
      throw new Error(`attempt ${attempt}`);
    });
    const { _id } = await monque.enqueue('a', null);
    await monque.drain();
    const logs = await monque.getJobLogs(String(_id));
    expect(logs.map(({ level, text }) => [level, text])).toEqual([
      ['error', 'attempt 1'],
      ['error', 'attempt 2'],
    ]);
    expect(await monque.getJobLogs('nonsense')).toEqual([]);
  });
});
