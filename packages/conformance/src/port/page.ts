import type { JobPageRequest, PageKey, StoredJob } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { add, addOne, after, ids, jobs, newJob, PAST } from './make-jobs.js';

const KEYS: readonly PageKey[] = ['id', 'createdAt', 'updatedAt', 'nextRunAt'];
const DIRECTIONS = ['asc', 'desc'] as const;
const ORDERS = KEYS.flatMap((by) => DIRECTIONS.map((direction) => ({ by, direction })));

/** The place of a job in an order, as a cursor remembers it. */
function placeOf(job: StoredJob, by: PageKey) {
  return { key: by === 'id' ? null : (job[by] ?? null), id: job._id };
}

export function pageTests(subject: ConformanceSubject): void {
  suite(subject, 'page', (bench) => {
    const page = (parts: Partial<JobPageRequest<unknown>> = {}) =>
      bench.store.page({ filter: {}, by: 'id', direction: 'asc', limit: 100, ...parts });

    /** Walks page by page; `between` runs after each. */
    const walk = async (
      order: Pick<JobPageRequest<unknown>, 'by' | 'direction'>,
      limit: number,
      between: (turn: number) => Promise<unknown> = async () => {},
    ) => {
      const seen: StoredJob[] = [];
      for (let turn = 0; ; turn++) {
        const last = seen.at(-1);
        const found = await page({ ...order, limit, ...(last && { after: placeOf(last, order.by) }) });
        seen.push(...found);
        if (found.length < limit) return seen;
        await between(turn);
      }
    };

    /** Jobs whose keys run against each other, with ties, and with two that lack a due time. */
    const addMixed = async () => {
      const times = [3, 1, 2, 1, 3, 2, 1];
      await add(
        bench.store,
        ...times.map((time, number) =>
          newJob({ data: number, createdAt: after(-time), nextRunAt: after(time * 10) }),
        ),
      );
      for (const data of ['a', 'b']) {
        const { nextRunAt: _, ...bare } = newJob({ data, createdAt: after(7), status: 'pending' });
        await bench.database.write({ ...bare, status: 'failed', failCount: 1, updatedAt: after(7) });
      }
    };

    test.each(ORDERS)(
      'orders by $by, $direction, ties by id in the same direction',
      async ({ by, direction }) => {
        await addMixed();
        const found = await page({ by, direction });
        const byId = await page();
        const rank = new Map(ids(byId).map((id, index) => [id, index]));
        const keyed = byId.map((job) => ({
          id: String(job._id),
          // A job that lacks the field sorts first.
          key: by === 'id' ? 0 : (job[by]?.getTime() ?? Number.MIN_SAFE_INTEGER),
          rank: rank.get(String(job._id)) ?? 0,
        }));
        keyed.sort((a, b) => a.key - b.key || a.rank - b.rank);
        if (direction === 'desc') keyed.reverse();
        expect(found).toHaveLength(9);
        expect(ids(found)).toEqual(keyed.map(({ id }) => id));
      },
    );

    test.each(ORDERS)('page by page gives the same as at once: $by, $direction', async (order) => {
      await addMixed();
      const atOnce = ids(await page(order));
      for (const limit of [1, 2, 4]) expect(ids(await walk(order, limit))).toEqual(atOnce);
    });

    test.each(ORDERS)('no gap and no overlap while jobs come and go: $by, $direction', async (order) => {
      const kept = await add(bench.store, ...jobs(30).map((job, n) => ({ ...job, nextRunAt: after(n % 5) })));
      const doomed = await add(
        bench.store,
        ...jobs(30).map((job, n) => ({ ...job, nextRunAt: after(n % 7) })),
      );
      const seen = await walk(order, 7, async (turn) => {
        const gone = doomed[turn];
        if (gone) await bench.store.remove([gone._id]);
        await addOne(bench.store, { nextRunAt: after(turn % 5) });
      });
      expect(new Set(ids(seen)).size).toBe(seen.length);
      expect(ids(seen)).toEqual(expect.arrayContaining(ids(kept)));
    });

    test('goes on from a place whose job is gone', async () => {
      const [a, b, c] = await add(bench.store, ...jobs(3));
      if (a === undefined || b === undefined || c === undefined) throw new Error('Three jobs were stored');
      await bench.store.remove([b._id]);
      const place = placeOf(b, 'id');
      expect(ids(await page({ after: place }))).toEqual(ids([c]));
      expect(ids(await page({ after: place, direction: 'desc' }))).toEqual(ids([a]));
    });

    test('skips', async () => {
      const added = await add(bench.store, ...jobs(10));
      expect(ids(await page({ skip: 4, limit: 3 }))).toEqual(ids(added.slice(4, 7)));
      expect(await page({ skip: 10 })).toEqual([]);
    });

    test('filters by name and by statuses', async () => {
      await add(bench.store, newJob({ name: 'a' }), newJob({ name: 'b' }), newJob({ status: 'created' }));
      const names = async (filter: JobPageRequest<unknown>['filter']) =>
        (await page({ filter })).map(({ name }) => name);
      expect(await names({})).toEqual(['a', 'b', 'work']);
      expect(await names({ name: 'b' })).toEqual(['b']);
      expect(await names({ statuses: ['created'] })).toEqual(['work']);
      expect(await names({ statuses: ['created', 'pending'] })).toEqual(['a', 'b', 'work']);
      expect(await names({ name: 'a', statuses: ['created'] })).toEqual([]);
      expect(await names({ statuses: [] })).toEqual([]);
    });

    test('filters by unique key', async () => {
      await add(bench.store, newJob({ uniqueKey: 'a' }), newJob({ uniqueKey: 'b' }), newJob());
      const found = await page({ filter: { name: 'work', uniqueKey: 'b', statuses: ['pending'] } });
      expect(found.map(({ uniqueKey }) => uniqueKey)).toEqual(['b']);
    });

    test.each(['createdAt', 'updatedAt', 'nextRunAt'] as const)(
      'filters by %s, both ends included',
      async (field) => {
        for (let number = 0; number < 5; number++) {
          const time = after(number);
          await bench.database.write({
            ...newJob({ data: number }),
            failCount: 0,
            updatedAt: PAST,
            [field]: time,
          });
        }
        const { [field]: _, ...bare } = { ...newJob({ data: 'without' }), updatedAt: PAST };
        if (field === 'nextRunAt') await bench.database.write({ ...bare, status: 'failed', failCount: 1 });
        const within = async (from?: Date, to?: Date) => {
          const range = { ...(from && { from }), ...(to && { to }) };
          return (await page({ filter: { [field]: range } })).map(({ data }) => data);
        };
        expect(await within(after(1), after(3))).toEqual([1, 2, 3]);
        expect(await within(after(3))).toEqual([3, 4]);
        expect(await within(undefined, after(1))).toEqual([0, 1]);
        expect(await within(after(9))).toEqual([]);
      },
    );

    test('an inclusive range and a place together', async () => {
      await add(bench.store, ...jobs(6).map((job, number) => ({ ...job, nextRunAt: after(number) })));
      const filter = { nextRunAt: { from: after(1), to: after(4) } };
      const [first] = await page({ filter, by: 'nextRunAt', limit: 1 });
      if (first === undefined) throw new Error('One job is in the range');
      const rest = await page({ filter, by: 'nextRunAt', after: placeOf(first, 'nextRunAt') });
      expect(rest.map(({ nextRunAt }) => nextRunAt)).toEqual([after(2), after(3), after(4)]);
    });
  });

  suite(subject, 'get', (bench) => {
    test('reads jobs by id, and leaves out those that do not exist', async () => {
      const [a, b, c] = await add(bench.store, ...jobs(3));
      if (a === undefined || b === undefined || c === undefined) throw new Error('Three jobs were stored');
      await bench.store.remove([b._id]);
      const found = await bench.store.get([a._id, b._id, c._id]);
      expect(ids(found).sort()).toEqual(ids([a, c]).sort());
      expect(await bench.store.get([])).toEqual([]);
    });
  });
}
