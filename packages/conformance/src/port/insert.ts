import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { add, addOne, after, ids, jobs, keeping, newJob, only, PAST, stored } from './make-jobs.js';

export function insertTests(subject: ConformanceSubject): void {
  suite(subject, 'insert', (bench) => {
    test('stores a new job with the fields of a new document and no others', async () => {
      const job = await addOne(bench.store, { data: { to: 'Ada' }, nextRunAt: after(1_234) });
      const expected = {
        _id: job._id,
        name: 'work',
        data: { to: 'Ada' },
        status: 'pending',
        nextRunAt: after(1_234),
        failCount: 0,
        createdAt: PAST,
        updatedAt: PAST,
      };
      expect(job).toStrictEqual(expected);
      expect(await stored(bench.store, job)).toStrictEqual(expected);
    });

    test('keeps every option that the job brings', async () => {
      const options = {
        uniqueKey: 'key',
        repeatInterval: '0 * * * *',
        timezone: 'Europe/Vienna',
        priority: -3,
        maxRetries: 4,
        backoff: { type: 'linear', delay: 50, maxDelay: 500, jitter: 0.5 },
        timeout: 9_000,
      } as const;
      const job = await addOne(bench.store, options);
      expect(await stored(bench.store, job)).toMatchObject(options);
    });

    test('stores a held job as created', async () => {
      const job = await addOne(bench.store, { status: 'created' });
      expect(await stored(bench.store, job)).toMatchObject({ status: 'created', nextRunAt: PAST });
    });

    test('keeps the due time to the millisecond, however far away', async () => {
      const times = ['1971-02-03T04:05:06.007Z', '2026-11-15T07:51:00.123Z', '9999-12-31T23:59:59.999Z'];
      const inserted = await add(bench.store, ...times.map((time) => newJob({ nextRunAt: new Date(time) })));
      const found = await Promise.all(inserted.map((job) => stored(bench.store, job)));
      expect(found.map(({ nextRunAt }) => nextRunAt.toISOString())).toEqual(times);
    });

    test.each([
      ['nested objects', { a: { b: [{ c: null }, [1, 2.5, -3]] }, 'd.e': true, $f: 'g' }],
      ['text of every script', { text: 'Grüße, 你好, 🚀' }],
      ['an empty object', {}],
      ['a list', [1, 'two', null, { three: 3 }]],
      ['a text', 'only text'],
      ['a number', 42],
      ['false', false],
      ['null', null],
    ])('gives back a payload unchanged: %s', async (_, data) => {
      const job = await addOne(bench.store, { data });
      expect(job.data).toStrictEqual(data);
      expect((await stored(bench.store, job)).data).toStrictEqual(data);
    });

    test('shares nothing with the caller', async () => {
      const data = { list: [1] };
      const job = await addOne(bench.store, { data });
      data.list.push(2);
      (job.data as typeof data).list.push(3);
      expect((await stored(bench.store, job)).data).toEqual({ list: [1] });
    });

    test('answers in the order of the request', async () => {
      const inserted = await bench.store.insert(keeping(...jobs(200)));
      expect(inserted.map(({ job }) => job.data)).toEqual(jobs(200).map(({ data }) => data));
      expect(new Set(inserted.map(({ outcome }) => outcome))).toEqual(new Set(['inserted']));
      expect(new Set(ids(inserted.map(({ job }) => job))).size).toBe(200);
    });

    test('gives ids that sort by creation', async () => {
      const first = await add(bench.store, ...jobs(50));
      const second = await add(bench.store, ...jobs(50));
      const page = await bench.store.page({ filter: {}, by: 'id', direction: 'asc', limit: 100 });
      expect(ids(page)).toEqual(ids([...first, ...second]));
    });

    test('stores thousands of jobs at once', async () => {
      await add(bench.store, ...jobs(5_000));
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 5_000 });
    });

    test('does nothing for an empty batch', async () => {
      expect(await bench.store.insert([])).toEqual([]);
      expect((await bench.store.counts()).byStatus).toEqual({});
    });

    test('is seen by another process at once', async () => {
      const job = await addOne(bench.store);
      const other = await bench.connect();
      expect(ids([await stored(other, job)])).toEqual(ids([job]));
    });
  });

  if (subject.transactions) transactionTests(subject);
}

function transactionTests(subject: ConformanceSubject): void {
  suite(subject, "insert within the user's own transaction", (bench) => {
    test('stores the jobs when it commits, and shows them to nobody before', async () => {
      const other = await bench.connect();
      const { session, commit } = await bench.beginTransaction();
      const { job } = only(await bench.store.insert(keeping(newJob()), { session }));
      const before = other.get([job._id]);
      if (subject.transactions !== 'exclusive') expect(await before).toEqual([]);
      await commit();
      await before;
      expect(ids(await other.get([job._id]))).toEqual(ids([job]));
    });

    test('stores nothing when it aborts', async () => {
      const { session, abort } = await bench.beginTransaction();
      await bench.store.insert(keeping(...jobs(3), newJob({ uniqueKey: 'key' })), { session });
      await abort();
      expect((await bench.store.counts()).byStatus).toEqual({});
      const [inserted] = await bench.store.insert(keeping(newJob({ uniqueKey: 'key' })));
      expect(inserted?.outcome).toBe('inserted');
    });

    test('finds a unique key that is taken without breaking the transaction', async () => {
      const existing = await addOne(bench.store, { uniqueKey: 'key' });
      const { session, commit } = await bench.beginTransaction();
      const answers = await bench.store.insert(
        keeping(newJob({ uniqueKey: 'key' }), newJob({ uniqueKey: 'other' })),
        { session },
      );
      await commit();
      expect(answers.map(({ outcome }) => outcome)).toEqual(['existing', 'inserted']);
      expect(ids(answers.map(({ job }) => job))[0]).toBe(String(existing._id));
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 2 });
    });
  });
}
