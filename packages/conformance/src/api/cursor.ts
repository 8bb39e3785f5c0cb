import { CursorDirection, type CursorOptions, InvalidCursorError, type Monque } from '@monque/core';
import { expect, test } from 'vitest';
import type { ConformanceSubject } from '../subject.js';
import { apiSuite } from './instances.js';

const PAST = new Date('2026-01-01T00:00:00Z');
const after = (milliseconds: number) => new Date(PAST.getTime() + milliseconds);
const BACKWARD = CursorDirection.BACKWARD;

async function addNumbered(monque: Monque<unknown>, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({
    name: n % 2 ? 'odd' : 'even',
    data: n,
    options: { runAt: after(Math.floor(n / 3)) },
  }));
  await monque.enqueueMany(items);
}

/** Reads a page as numbers. */
async function numbers(monque: Monque<unknown>, options: CursorOptions) {
  const { jobs, ...rest } = await monque.getJobsWithCursor(options);
  return { ...rest, data: jobs.map(({ data }) => data as number) };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

export function cursorTests(subject: ConformanceSubject): void {
  apiSuite(subject, 'getJobsWithCursor', (api) => {
    test('walks forward in the order of ids', async () => {
      const monque = await api.monque();
      await addNumbered(monque, 5);
      const first = await numbers(monque, { limit: 2 });
      expect(first).toMatchObject({ data: [0, 1], hasNextPage: true, hasPreviousPage: false });
      const second = await numbers(monque, { limit: 2, cursor: first.cursor });
      expect(second).toMatchObject({ data: [2, 3], hasNextPage: true, hasPreviousPage: true });
      const third = await numbers(monque, { limit: 2, cursor: second.cursor });
      expect(third).toMatchObject({ data: [4], hasNextPage: false, hasPreviousPage: true });
    });

    test('backward gives the items before the cursor, in the same ascending order, and goes on without overlap', async () => {
      const monque = await api.monque();
      await addNumbered(monque, 10);
      const { cursor } = await numbers(monque, { limit: 8 });
      const back = await numbers(monque, { limit: 3, cursor, direction: BACKWARD });
      expect(back).toMatchObject({ data: [4, 5, 6], hasNextPage: true, hasPreviousPage: true });
      const further = await numbers(monque, { limit: 10, cursor: back.cursor, direction: BACKWARD });
      expect(further).toMatchObject({ data: range(0, 4), hasPreviousPage: false, hasNextPage: true });
    });

    test('the direction option decides, not the cursor', async () => {
      const monque = await api.monque();
      await addNumbered(monque, 10);
      const { cursor } = await numbers(monque, { limit: 5 });
      const back = await numbers(monque, { limit: 2, cursor, direction: BACKWARD });
      expect(back.data).toEqual([2, 3]);
      const forward = await numbers(monque, { limit: 2, cursor: back.cursor });
      expect(forward.data).toEqual([4, 5]);
    });

    test('an empty page has no cursor', async () => {
      const monque = await api.monque();
      expect(await monque.getJobsWithCursor()).toStrictEqual({
        jobs: [],
        cursor: null,
        hasNextPage: false,
        hasPreviousPage: false,
      });
    });

    test.each(['identifier', 'createdAt', 'updatedAt', 'nextRunAt'] as const)(
      'sorts by %s in both directions, ties by id in the same direction',
      async (by) => {
        const monque = await api.monque();
        await addNumbered(monque, 11);
        for (const direction of ['asc', 'desc'] as const) {
          const seen: number[] = [];
          let cursor: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof numbers>> = await numbers(monque, {
              limit: 4,
              sort: { by, direction },
              cursor,
            });
            seen.push(...page.data);
            cursor = page.hasNextPage ? page.cursor : null;
          } while (cursor !== null);
          expect(seen).toEqual(direction === 'asc' ? range(0, 11) : range(0, 11).reverse());
        }
      },
    );

    test('filters by name, status and inclusive times', async () => {
      const monque = await api.monque();
      await addNumbered(monque, 9);
      await monque.enqueue('held', 100, { hold: true });
      expect((await numbers(monque, { filter: { name: 'odd' } })).data).toEqual([1, 3, 5, 7]);
      expect((await numbers(monque, { filter: { status: 'created' } })).data).toEqual([100]);
      const filter = { nextRunAtFrom: after(1), nextRunAtTo: after(2) };
      expect((await numbers(monque, { filter })).data).toEqual(range(3, 9));
      const now = await api.store.now();
      const minute = (n: number) => new Date(now.getTime() + n * 60_000);
      expect((await numbers(monque, { filter: { createdAtFrom: minute(1) } })).data).toEqual([]);
      expect((await numbers(monque, { filter: { createdAtTo: minute(1) } })).data).toHaveLength(10);
      expect(
        (await numbers(monque, { filter: { updatedAtFrom: minute(-1), updatedAtTo: minute(1) } })).data,
      ).toHaveLength(10);
    });

    test('has no overlap and no gap while jobs are inserted and removed', async () => {
      const monque = await api.monque();
      await addNumbered(monque, 40);
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof numbers>> = await numbers(monque, { limit: 6, cursor });
        seen.push(...page.data);
        const { jobs } = await monque.getJobsWithCursor({ limit: 6, cursor });
        if (jobs[0]) await monque.deleteJob(jobs[0]._id);
        if (seen.length < 30) await monque.enqueue('late', 1_000 + seen.length);
        cursor = page.hasNextPage ? page.cursor : null;
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((n) => n < 1_000)).toEqual(range(0, 40));
    });

    test.each(['nonsense', '', '{}', '💥', 'Zm9v', 'a'.repeat(5_000)])(
      'refuses the cursor %.20j',
      async (cursor) => {
        const monque = await api.monque();
        await addNumbered(monque, 3);
        await expect(monque.getJobsWithCursor({ cursor })).rejects.toThrow(InvalidCursorError);
      },
    );

    test('refuses a cursor of another sort', async () => {
      const monque = await api.monque();
      await addNumbered(monque, 3);
      const { cursor } = await monque.getJobsWithCursor({
        limit: 1,
        sort: { by: 'nextRunAt', direction: 'asc' },
      });
      await expect(monque.getJobsWithCursor({ cursor, limit: 1 })).rejects.toThrow(InvalidCursorError);
      const other = { by: 'nextRunAt', direction: 'desc' } as const;
      await expect(monque.getJobsWithCursor({ cursor, limit: 1, sort: other })).rejects.toThrow(
        InvalidCursorError,
      );
    });

    const bad: readonly Record<string, unknown>[] = [
      { limit: 0 },
      { limit: 1_001 },
      { limit: 'many' },
      { filter: { name: { $ne: null } } },
      { filter: { status: 'unknown' } },
      { filter: { createdAtFrom: 'yesterday' } },
      { filter: { $where: '1' } },
      { sort: { by: 'data' } },
      { direction: 'sideways' },
    ];
    test.each(bad)('refuses %j', async (options) => {
      const monque = await api.monque();
      await expect(monque.getJobsWithCursor(options as never)).rejects.toMatchObject({
        code: expect.stringMatching(/^MONQUE_INVALID_(SELECTOR|OPTION)$/),
      });
    });
  });
}
