import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed } from './make-claims.js';
import { add, addOne, after, jobs, newJob, stored } from './make-jobs.js';

const NOW = after(60_000);
const CANCEL = { type: 'cancel', running: false } as const;
const ALL = 1_000;

export function changeWhereTests(subject: ConformanceSubject): void {
  suite(subject, 'changeWhere', (bench) => {
    test('changes what matches and whose status allows it, and answers how many', async () => {
      await add(bench.store, ...jobs(3, { name: 'a' }), ...jobs(2, { name: 'b' }));
      await addClaimed(bench.store, { name: 'c' });
      expect(await bench.store.changeWhere({ name: 'a' }, CANCEL, NOW, ALL)).toBe(3);
      expect(await bench.store.changeWhere({}, CANCEL, NOW, ALL)).toBe(2);
      expect(await bench.store.changeWhere({}, CANCEL, NOW, ALL)).toBe(0);
      expect((await bench.store.counts()).byStatus).toEqual({ cancelled: 5, processing: 1 });
    });

    test('writes the same document as a change by id', async () => {
      const job = await addOne(bench.store);
      await bench.store.changeWhere({}, CANCEL, NOW, ALL);
      expect(await stored(bench.store, job)).toStrictEqual({
        ...job,
        status: 'cancelled',
        updatedAt: NOW,
        finishedAt: NOW,
      });
      expect(await bench.store.changeWhere({}, { type: 'retry' }, after(70_000), ALL)).toBe(1);
      expect(await stored(bench.store, job)).toStrictEqual({
        ...job,
        nextRunAt: after(70_000),
        updatedAt: after(70_000),
      });
    });

    test('goes by status and times of the filter', async () => {
      await add(bench.store, ...jobs(10).map((job, number) => ({ ...job, createdAt: after(number) })));
      const filter = { statuses: ['pending'] as const, createdAt: { from: after(2), to: after(4) } };
      expect(await bench.store.changeWhere(filter, CANCEL, NOW, ALL)).toBe(3);
      expect(await bench.store.changeWhere({ statuses: ['completed'] }, CANCEL, NOW, ALL)).toBe(0);
    });

    test('changes at most so many at a time', async () => {
      await add(bench.store, ...jobs(25));
      const counts = [];
      for (let turn = 0; turn < 4; turn++) counts.push(await bench.store.changeWhere({}, CANCEL, NOW, 10));
      expect(counts).toEqual([10, 10, 5, 0]);
    });

    test('passes over a job whose unique key is taken, and is not held up by it', async () => {
      const blocked = ['a', 'b', 'c'].map((uniqueKey) => newJob({ uniqueKey }));
      await add(bench.store, ...blocked);
      await bench.store.changeWhere({}, CANCEL, NOW, ALL);
      await add(bench.store, ...blocked);
      await add(bench.store, ...jobs(2, { name: 'free' }));
      await bench.store.changeWhere({ name: 'free' }, CANCEL, NOW, ALL);
      expect(await bench.store.changeWhere({}, { type: 'retry' }, NOW, 2)).toBe(2);
      expect(await bench.store.changeWhere({}, { type: 'retry' }, NOW, 2)).toBe(0);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 5, cancelled: 3 });
    });

    test('of several with the same key one is changed', async () => {
      await add(bench.store, ...jobs(4, { status: 'created', uniqueKey: 'key' }));
      expect(await bench.store.changeWhere({}, { type: 'release' }, NOW, ALL)).toBe(1);
      expect((await bench.store.counts()).byStatus).toEqual({ created: 3, pending: 1 });
    });
  });

  suite(subject, 'remove', (bench) => {
    test('removes jobs in whatever status, and answers how many', async () => {
      const running = await addClaimed(bench.store);
      const [waiting] = await add(bench.store, newJob(), newJob());
      expect(await bench.store.remove([running._id, waiting?._id, running._id])).toBe(2);
      expect(await bench.store.remove([running._id])).toBe(0);
      expect(await bench.store.remove([])).toBe(0);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 1 });
    });

    test('frees the unique key', async () => {
      const job = await addOne(bench.store, { uniqueKey: 'key' });
      await bench.store.remove([job._id]);
      expect(String((await addOne(bench.store, { uniqueKey: 'key' }))._id)).not.toBe(String(job._id));
    });
  });

  suite(subject, 'removeWhere', (bench) => {
    test('removes what matches, at most so many at a time', async () => {
      await add(bench.store, ...jobs(12, { name: 'a' }), ...jobs(3, { name: 'b' }));
      const counts = [];
      for (let turn = 0; turn < 4; turn++) counts.push(await bench.store.removeWhere({ name: 'a' }, 5));
      expect(counts).toEqual([5, 5, 2, 0]);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 3 });
    });

    test('removes everything for an empty filter', async () => {
      await add(bench.store, ...jobs(3));
      await addClaimed(bench.store, { name: 'running' });
      expect(await bench.store.removeWhere({}, ALL)).toBe(4);
      expect((await bench.store.counts()).byStatus).toEqual({});
    });

    test('goes by status and times of the filter', async () => {
      await add(bench.store, ...jobs(10).map((job, number) => ({ ...job, createdAt: after(number) })));
      const filter = { statuses: ['pending'] as const, createdAt: { to: after(3) } };
      expect(await bench.store.removeWhere(filter, ALL)).toBe(4);
      expect(await bench.store.removeWhere({ statuses: ['failed'] }, ALL)).toBe(0);
    });
  });
}
