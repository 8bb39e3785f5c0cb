import {
  CursorDirection,
  type CursorOptions,
  InvalidCursorError,
  InvalidSelectorError,
  JobCursorSortDirection,
  JobCursorSortField,
  type Monque,
} from '@monque/core';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/manage/cursor.js';
import { onEveryStore } from '../facade/instances.js';

/** Due times that come in pairs, so that ties are broken by id. */
async function enqueueNumbers(monque: Monque<unknown>, count: number): Promise<void> {
  await monque.enqueueMany(
    Array.from({ length: count }, (_, n) => ({
      name: n % 2 === 0 ? 'even' : 'odd',
      data: n,
      options: { runAt: new Date(Date.UTC(2030, 0, 1 + Math.floor(n / 2))) },
    })),
  );
}

async function page(monque: Monque<unknown>, options?: CursorOptions) {
  const { jobs, ...rest } = await monque.getJobsWithCursor<number>(options);
  return { data: jobs.map(({ data }) => data), ...rest };
}

/** Pages in one direction until there are no more. */
async function walk(monque: Monque<unknown>, options: CursorOptions): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor: string | null = options.cursor ?? null;
  const backward = options.direction === CursorDirection.BACKWARD;
  for (;;) {
    const next = await page(monque, { ...options, cursor });
    pages.push(next.data);
    cursor = next.cursor;
    if (!(backward ? next.hasPreviousPage : next.hasNextPage)) return pages;
  }
}

onEveryStore('getJobsWithCursor', (make) => {
  test('pages forward by id, and the flags say what lies on either side', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 5);
    const first = await page(monque, { limit: 2 });
    expect(first).toMatchObject({ data: [0, 1], hasNextPage: true, hasPreviousPage: false });
    const second = await page(monque, { limit: 2, cursor: first.cursor });
    expect(second).toMatchObject({ data: [2, 3], hasNextPage: true, hasPreviousPage: true });
    const third = await page(monque, { limit: 2, cursor: second.cursor });
    expect(third).toMatchObject({ data: [4], hasNextPage: false, hasPreviousPage: true });
    const beyond = await page(monque, { limit: 2, cursor: third.cursor });
    expect(beyond).toEqual({ data: [], cursor: null, hasNextPage: false, hasPreviousPage: true });
  });

  test('backward gives the items before the cursor, in the same order', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 6);
    const first = await page(monque, { limit: 2 });
    const second = await page(monque, { limit: 2, cursor: first.cursor });
    const back = await page(monque, { limit: 2, cursor: second.cursor, direction: CursorDirection.BACKWARD });
    expect(back).toMatchObject({ data: [1, 2], hasNextPage: true, hasPreviousPage: true });
    const forth = await page(monque, { limit: 2, cursor: back.cursor });
    expect(forth.data).toEqual([3, 4]);
    const atStart = await page(monque, {
      limit: 5,
      cursor: first.cursor,
      direction: CursorDirection.BACKWARD,
    });
    expect(atStart).toMatchObject({ data: [0], hasNextPage: true, hasPreviousPage: false });
  });

  test('backward without a cursor begins at the end, and walks to the start without repeating a job', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 7);
    const last = await page(monque, { limit: 3, direction: CursorDirection.BACKWARD });
    expect(last).toMatchObject({ data: [4, 5, 6], hasNextPage: false, hasPreviousPage: true });
    expect(await walk(monque, { limit: 3, direction: CursorDirection.BACKWARD })).toEqual([
      [4, 5, 6],
      [1, 2, 3],
      [0],
    ]);
  });

  test.each(Object.values(JobCursorSortField))(
    'walks all jobs once when sorted by %s, either way',
    async (by) => {
      const monque = await make();
      await enqueueNumbers(monque, 11);
      const all = Array.from({ length: 11 }, (_, n) => n);
      const ascending = await walk(monque, { limit: 3, sort: { by } });
      const descending = await walk(monque, {
        limit: 4,
        sort: { by, direction: JobCursorSortDirection.DESC },
      });
      if (by === JobCursorSortField.IDENTIFIER || by === JobCursorSortField.NEXT_RUN_AT) {
        expect(ascending.flat()).toEqual(all);
      }
      expect(ascending.flat().toSorted((a, b) => a - b)).toEqual(all);
      expect(descending.flat()).toEqual(ascending.flat().toReversed());
      const backward = { direction: CursorDirection.BACKWARD, limit: 3, sort: { by } };
      expect((await walk(monque, backward)).toReversed().flat()).toEqual(ascending.flat());
    },
  );

  test('leaves out nothing and repeats nothing while jobs come and go', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 6);
    const first = await monque.getJobsWithCursor<number>({ limit: 3 });
    // The job that the cursor points at goes, and so does one of the next page.
    await monque.deleteJob(first.jobs[2]?._id);
    const removed = (await monque.getJobs<number>()).find(({ data }) => data === 4);
    await monque.deleteJob(removed?._id);
    await monque.enqueue('late', 99, { runAt: new Date(Date.UTC(2040, 0)) });
    const next = await page(monque, { limit: 10, cursor: first.cursor });
    expect(next).toMatchObject({ data: [3, 5, 99], hasPreviousPage: true, hasNextPage: false });
  });

  test('says that nothing lies behind when all of it was removed', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 4);
    const first = await monque.getJobsWithCursor({ limit: 2 });
    for (const { _id } of first.jobs) await monque.deleteJob(_id);
    expect((await page(monque, { limit: 2, cursor: first.cursor })).hasPreviousPage).toBe(false);
    await monque.deleteJobs({});
    expect(await page(monque, { limit: 2, cursor: first.cursor })).toEqual({
      data: [],
      cursor: null,
      hasNextPage: false,
      hasPreviousPage: false,
    });
  });

  test('filters by name, status and inclusive ranges of time', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 6);
    expect((await page(monque, { filter: { name: 'odd' } })).data).toEqual([1, 3, 5]);
    expect((await page(monque, { filter: { status: ['cancelled', 'failed'] } })).data).toEqual([]);
    const second = new Date(Date.UTC(2030, 0, 2));
    const range = { nextRunAtFrom: second, nextRunAtTo: second };
    expect((await page(monque, { filter: range })).data).toEqual([2, 3]);
    expect((await page(monque, { filter: { createdAtTo: new Date(0) } })).data).toEqual([]);
    expect((await page(monque, { filter: { updatedAtFrom: new Date(0) } })).data).toHaveLength(6);
  });

  test('lists fifty jobs unless told otherwise', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 60);
    expect((await page(monque)).data).toHaveLength(50);
  });

  test('refuses a cursor that is malformed or belongs to another sort', async () => {
    const monque = await make();
    await enqueueNumbers(monque, 3);
    const { cursor } = await page(monque, { limit: 1 });
    const valid = cursor!;
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wire = JSON.parse(Buffer.from(valid, 'base64url').toString()) as unknown[];
    const wrong: unknown[] = [
      '',
      'nonsense',
      '{}',
      7,
      {},
      { $gt: '' },
      `${valid}=`,
      ` ${valid}`,
      valid.slice(0, -2),
      encode({}),
      encode(null),
      encode([2, ...wire.slice(1)]),
      encode([...wire.slice(0, 3), [0, 'nonsense']]),
      encode([...wire.slice(0, 3), [null, { $gt: '' }]]),
      encode([...wire.slice(0, 3), [5, (wire[3] as unknown[])[1]]]),
      encode([...wire, [null, 'x'], 1]),
    ];
    for (const each of wrong) {
      await expect(monque.getJobsWithCursor({ cursor: each as string })).rejects.toThrow(InvalidCursorError);
    }
    for (const sort of [{ by: JobCursorSortField.CREATED_AT }, { direction: JobCursorSortDirection.DESC }]) {
      const answer = monque.getJobsWithCursor({ cursor: valid, sort });
      await expect(answer).rejects.toThrow(InvalidCursorError);
      await expect(answer).rejects.toThrow('another sort order');
    }
  });

  test.each([
    { limit: 0 },
    { limit: 1_001 },
    { direction: 'sideways' },
    { sort: { by: 'name' } },
    { sort: { by: 'createdAt', direction: 1 } },
    { sort: { $where: '1' } },
    { filter: { name: { $ne: null } } },
    { filter: { createdAtFrom: { $gt: new Date(0) } } },
    { filter: { createdAtFrom: new Date(Number.NaN) } },
    { filter: { createdAtFrom: '2030-01-01' } },
    { filter: { olderThan: new Date() } },
    { page: 2 },
    [],
  ])('refuses the options %j', async (options) => {
    const monque = await make();
    await expect(monque.getJobsWithCursor(options as never)).rejects.toThrow(InvalidSelectorError);
  });
});

describe('a cursor', () => {
  test('comes back as it was, also for a job without the key', () => {
    const sort = { by: 'nextRunAt', direction: 'desc' } as const;
    const place = { last: { key: null, id: 'a' }, first: { key: new Date(5), id: 'b' } };
    expect(decodeCursor(encodeCursor(place, sort), sort, (text) => text)).toEqual(place);
  });
});
