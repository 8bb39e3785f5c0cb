import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { claim, claimOne, claimUntilDone, newToken } from './make-claims.js';
import { add, addOne, after, datesOf, ids, jobs, newJob, only, PAST, stored } from './make-jobs.js';

const SECOND = 1_000;

export function claimTests(subject: ConformanceSubject): void {
  suite(subject, 'claim', (bench) => {
    test('marks the job as processing and says who holds it', async () => {
      const job = await addOne(bench.store, { data: { to: 'Ada' } });
      const now = await bench.store.now();
      const token = newToken();
      const { jobs: answered } = await claim(bench.store, {
        owner: 'me',
        token,
        now,
        heartbeatInterval: 1_500,
      });
      // The store stamps by its own clock, so the answer's times may be a moment from what is stored.
      for (const claimed of [only(answered), await stored(bench.store, job)]) {
        const { lockedAt, lastHeartbeat, updatedAt, ...rest } = claimed;
        expect({ ...rest, updatedAt: job.updatedAt }).toStrictEqual({
          ...job,
          status: 'processing',
          claimedBy: 'me',
          claimToken: token,
          heartbeatInterval: 1_500,
        });
        for (const time of [lockedAt, lastHeartbeat, updatedAt]) {
          expect(Math.abs((time?.getTime() ?? 0) - now.getTime())).toBeLessThan(SECOND);
        }
      }
    });

    test('answers jobs that share no date, neither with each other nor with the request', async () => {
      await add(bench.store, ...jobs(3));
      const now = await bench.store.now();
      const { jobs: claimed } = await claim(bench.store, { now });
      const dates = [now, ...claimed.flatMap(datesOf)];
      expect(dates.length).toBeGreaterThan(3 * 4);
      expect(new Set(dates).size).toBe(dates.length);
    });

    test('takes a job that is due at this very moment, and none that is due a millisecond later', async () => {
      await add(bench.store, newJob({ data: 'due' }), newJob({ data: 'later', nextRunAt: after(1) }));
      expect((await claimOne(bench.store, { now: PAST })).data).toBe('due');
      expect((await claim(bench.store, { now: PAST })).jobs).toEqual([]);
      expect((await claimOne(bench.store, { now: after(1) })).data).toBe('later');
    });

    test('is not confused by a caller whose clock is behind', async () => {
      await add(bench.store, ...jobs(3, { nextRunAt: after(60_000) }));
      expect((await claim(bench.store, { now: after(60_000), total: 1 })).jobs).toHaveLength(1);
      expect(await claim(bench.store, { now: PAST })).toEqual({ jobs: [], more: false });
      expect(await claimUntilDone(bench.store, { now: after(60_000) })).toHaveLength(2);
    });

    test('finds everything that arrives after a silence, each job once', async () => {
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
      const added = await add(bench.store, ...jobs(5), ...jobs(2, { priority: 3 }), newJob({ priority: -1 }));
      const claimed = await claimUntilDone(bench.store);
      expect(ids(claimed).sort()).toEqual(ids(added).sort());
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
    });

    test('finds what nobody told of beside the job that ends a silence', async () => {
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
      await bench.database.write({ ...newJob({ data: 'untold' }), failCount: 0, updatedAt: PAST });
      await addOne(bench.store, { data: 'told' });
      const claimed = await claimUntilDone(bench.store);
      expect(claimed.map(({ data }) => data).sort()).toEqual(['told', 'untold']);
    });

    test('leaves a job alone that ends a silence under a name that is not wanted', async () => {
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
      await addOne(bench.store, { name: 'other' });
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
    });

    test('finds a job with a priority that arrives alone after a silence', async () => {
      await claim(bench.store);
      await addOne(bench.store, { priority: -3 });
      expect((await claimOne(bench.store)).priority).toBe(-3);
    });

    test.each([
      { limit: 1, total: 1 },
      { limit: 1, total: 2 },
      { limit: 2, total: 1 },
    ])('gives the only free slot after a silence to the most urgent job: %o', async ({ limit, total }) => {
      const wants = [{ name: 'work', limit }];
      await claim(bench.store, { wants, total });
      await bench.database.write({
        ...newJob({ data: 'urgent', priority: 1 }),
        failCount: 0,
        updatedAt: PAST,
      });
      await addOne(bench.store, { data: 'plain' });
      expect((await claimOne(bench.store, { wants, total })).data).toBe('urgent');
    });

    test('gives the slots after a silence of some names to the most urgent jobs of all', async () => {
      const work = { name: 'work', limit: 2 };
      const quiet = { name: 'quiet', limit: 2 };
      await claim(bench.store, { wants: [work, quiet], now: PAST });
      await addOne(bench.store, { data: 'plain', nextRunAt: after(1) });
      await claim(bench.store, { wants: [quiet], now: PAST });
      await bench.database.write({
        ...newJob({ data: 'urgent', priority: 1 }),
        failCount: 0,
        updatedAt: PAST,
      });
      const { jobs: first } = await claim(bench.store, { wants: [work, quiet], now: after(1) });
      expect(first[0]?.data).toBe('urgent');
    });

    test('takes pending jobs only', async () => {
      const statuses = [
        'processing',
        'completed',
        'failed',
        'cancelled',
        'created',
        'awaiting-continuation',
        'awaiting-batch',
      ];
      for (const status of statuses) {
        await bench.database.write({ ...newJob(), status, failCount: 0, updatedAt: PAST });
      }
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
    });

    test('takes jobs of the wanted names only', async () => {
      await add(bench.store, newJob({ name: 'a' }), newJob({ name: 'b' }), newJob({ name: 'A' }));
      const { jobs: claimed } = await claim(bench.store, { wants: [{ name: 'a', limit: 10 }] });
      expect(claimed.map(({ name }) => name)).toEqual(['a']);
    });

    test('takes nothing where nothing is wanted', async () => {
      await addOne(bench.store);
      expect((await claim(bench.store, { wants: [] })).jobs).toEqual([]);
      expect((await claim(bench.store, { total: 0 })).jobs).toEqual([]);
      expect((await claim(bench.store, { wants: [{ name: 'work', limit: 0 }] })).jobs).toEqual([]);
    });

    test('takes a document of an older Monque, whose claim fields are null', async () => {
      const id = await bench.database.write({
        ...newJob({ data: { to: 'Ada' } }),
        failCount: 0,
        updatedAt: PAST,
        lockedAt: null,
        claimedBy: null,
        lastHeartbeat: null,
      });
      const claimed = await claimOne(bench.store, { owner: 'me' });
      expect(String(claimed._id)).toBe(String(id));
      expect(claimed).toMatchObject({ status: 'processing', claimedBy: 'me', data: { to: 'Ada' } });
    });
  });

  suite(subject, 'claim order', (bench) => {
    const order = async (count = 100) =>
      (await claim(bench.store, { total: count })).jobs.map(({ data }) => data);

    test('the earliest due first', async () => {
      const times = [30, 10, 50, 20, 40];
      await add(bench.store, ...times.map((time) => newJob({ data: time, nextRunAt: after(time) })));
      expect(await order(2)).toEqual([10, 20]);
      expect(await order()).toEqual([30, 40, 50]);
    });

    test('higher priority first, then the earliest due; absent means 0, negative comes last', async () => {
      await add(
        bench.store,
        newJob({ data: 'low', priority: -1 }),
        newJob({ data: 'normal, late', nextRunAt: after(20) }),
        newJob({ data: 'high, late', priority: 5, nextRunAt: after(30) }),
        newJob({ data: 'normal, early', nextRunAt: after(10) }),
        newJob({ data: 'high, early', priority: 5, nextRunAt: after(25) }),
        newJob({ data: 'highest', priority: 1_000, nextRunAt: after(40) }),
      );
      expect(await order(1)).toEqual(['highest']);
      expect(await order(2)).toEqual(['high, early', 'high, late']);
      expect(await order()).toEqual(['normal, early', 'normal, late', 'low']);
    });

    test('a future job of the highest priority does not come before one that is due', async () => {
      const future = new Date((await bench.store.now()).getTime() + 3_600_000);
      await add(bench.store, ...jobs(50, { priority: 9, nextRunAt: future }), newJob({ data: 'due' }));
      expect(await order()).toEqual(['due']);
    });

    test('over all names where the total is short', async () => {
      await add(
        bench.store,
        ...jobs(20, { name: 'a' }),
        newJob({ name: 'b', priority: 2, nextRunAt: after(10) }),
        newJob({ name: 'b', priority: 1, nextRunAt: after(10) }),
      );
      const wants = ['a', 'b'].map((name) => ({ name, limit: 10 }));
      const { jobs: claimed } = await claim(bench.store, { wants, total: 3 });
      expect(claimed.map(({ name, priority = 0 }) => [name, priority])).toEqual([
        ['b', 2],
        ['b', 1],
        ['a', 0],
      ]);
    });

    test.each([
      { what: 'due for the longest', early: {} },
      { what: 'of the highest priority', early: { priority: 3, nextRunAt: after(SECOND) } },
    ])('over many names, of which one has most of those $what', async ({ early }) => {
      const names = Array.from({ length: 40 }, (_, number) => `name-${number}`);
      const late = names.flatMap((name) => jobs(5, { name, nextRunAt: after(10) }));
      await add(bench.store, ...late, ...jobs(90, { name: 'name-20', ...early }));
      const wants = names.map((name) => ({ name, limit: 80 }));
      const { jobs: claimed, more } = await claim(bench.store, { wants, total: 100 });
      expect(claimed.filter(({ name }) => name === 'name-20')).toHaveLength(80);
      expect(claimed).toHaveLength(100);
      expect(more).toBe(true);
      const { jobs: others } = await claim(bench.store, { wants, total: 300 });
      expect(claimed.length + others.length).toBe(290);
    });

    test('over many names, one of which also has jobs that come after all others', async () => {
      const names = Array.from({ length: 20 }, (_, number) => `name-${number}`);
      const parts = { name: 'name-7', nextRunAt: after(10) };
      await add(bench.store, ...jobs(30, { ...parts, priority: -5, nextRunAt: PAST }), ...jobs(30, parts));
      const wants = names.map((name) => ({ name, limit: 20 }));
      const { jobs: claimed } = await claim(bench.store, { wants, total: 100 });
      expect(claimed.map(({ priority = 0 }) => priority)).toEqual(Array(20).fill(0));
    });
  });

  suite(subject, 'claim limits', (bench) => {
    test('at most so many per name, and so many in all', async () => {
      await add(bench.store, ...jobs(20, { name: 'a' }), ...jobs(20, { name: 'b' }));
      const wants = [
        { name: 'a', limit: 3 },
        { name: 'b', limit: 7 },
      ];
      const { jobs: claimed } = await claim(bench.store, { wants, total: 100 });
      expect(claimed.filter(({ name }) => name === 'a')).toHaveLength(3);
      expect(claimed.filter(({ name }) => name === 'b')).toHaveLength(7);
      expect((await claim(bench.store, { wants, total: 4 })).jobs).toHaveLength(4);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 26, processing: 14 });
    });

    test("a name with many due jobs does not keep another name's from being found", async () => {
      await add(bench.store, ...jobs(2_000, { name: 'busy', priority: 1 }));
      await add(bench.store, ...jobs(3, { name: 'quiet', nextRunAt: after(1_000) }));
      const wants = [
        { name: 'busy', limit: 5 },
        { name: 'quiet', limit: 5 },
      ];
      const { jobs: claimed } = await claim(bench.store, { wants, total: 10 });
      expect(claimed.filter(({ name }) => name === 'busy')).toHaveLength(5);
      expect(claimed.filter(({ name }) => name === 'quiet')).toHaveLength(3);
    });

    test('finds the one due job among hundreds of wanted names', async () => {
      const job = await addOne(bench.store, { name: 'name-123' });
      const wants = Array.from({ length: 300 }, (_, number) => ({ name: `name-${number}`, limit: 5 }));
      expect(ids([await claimOne(bench.store, { wants })])).toEqual(ids([job]));
    });

    test('says that more may be due while that is so, and no more once nothing is', async () => {
      await add(bench.store, ...jobs(5), newJob({ nextRunAt: new Date('2999-01-01T00:00:00Z') }));
      expect((await claim(bench.store, { total: 2 })).more).toBe(true);
      expect((await claim(bench.store, { wants: [{ name: 'work', limit: 2 }] })).more).toBe(true);
      expect((await claim(bench.store)).jobs).toHaveLength(1);
      expect(await claim(bench.store)).toEqual({ jobs: [], more: false });
    });

    test('never says that nothing is due while another name has due jobs', async () => {
      await add(bench.store, ...jobs(4, { name: 'a' }), ...jobs(4, { name: 'b' }));
      const wants = ['a', 'b'].map((name) => ({ name, limit: 4 }));
      expect((await claim(bench.store, { wants, total: 4 })).more).toBe(true);
      expect((await claim(bench.store, { wants, total: 4 })).jobs).toHaveLength(4);
    });
  });
}
