import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, claim } from './make-claims.js';
import { add, addOne, after, newJob, PAST } from './make-jobs.js';

export function nextDueAtTests(subject: ConformanceSubject): void {
  suite(subject, 'nextDueAt', (bench) => {
    test('answers the earliest due time of the given names that is later than the given time', async () => {
      await add(
        bench.store,
        newJob({ name: 'a', nextRunAt: after(50) }),
        newJob({ name: 'a', nextRunAt: after(20), priority: -5 }),
        newJob({ name: 'b', nextRunAt: new Date('2999-01-01T00:00:00Z') }),
        newJob({ name: 'c', nextRunAt: after(-10) }),
      );
      expect(await bench.store.nextDueAt(['a', 'b'], PAST)).toEqual(after(20));
      expect(await bench.store.nextDueAt(['b'], PAST)).toEqual(new Date('2999-01-01T00:00:00Z'));
      expect(await bench.store.nextDueAt(['a', 'b', 'c'], after(-20))).toEqual(after(-10));
      expect(await bench.store.nextDueAt(['a', 'b', 'c'], after(-10))).toEqual(after(20));
      expect(await bench.store.nextDueAt(['a', 'b', 'c'], after(20))).toEqual(after(50));
    });

    test('answers the earliest of those that a claim left, whatever their priority', async () => {
      await add(
        bench.store,
        newJob({ nextRunAt: after(30), priority: 9 }),
        newJob({ nextRunAt: after(20), priority: 5 }),
        newJob({ nextRunAt: after(10) }),
      );
      await claim(bench.store, { total: 1 });
      expect(await bench.store.nextDueAt(['work'], PAST)).toEqual(after(10));
    });

    test('looks at pending jobs only', async () => {
      await addClaimed(bench.store);
      await addOne(bench.store, { status: 'created' });
      await addOne(bench.store, { nextRunAt: after(70) });
      expect(await bench.store.nextDueAt(['work'], PAST)).toEqual(after(70));
    });

    test('answers undefined where nothing waits', async () => {
      await addOne(bench.store, { nextRunAt: PAST });
      expect(await bench.store.nextDueAt(['other'], after(-1))).toBeUndefined();
      expect(await bench.store.nextDueAt([], after(-1))).toBeUndefined();
    });
  });
}
