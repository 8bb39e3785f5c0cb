import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed } from './make-claims.js';
import { add, after, jobs, newJob, PAST } from './make-jobs.js';

const STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'created',
  'awaiting-continuation',
  'awaiting-batch',
];

export function countsTests(subject: ConformanceSubject): void {
  suite(subject, 'counts', (bench) => {
    const writeCompleted = (parts: Record<string, unknown>) =>
      bench.database.write({
        ...newJob(),
        status: 'completed',
        failCount: 0,
        updatedAt: after(9_000),
        ...parts,
      });

    test('counts every status exactly', async () => {
      for (const [index, status] of STATUSES.entries()) {
        for (let number = 0; number <= index; number++) {
          await bench.database.write({ ...newJob(), status, failCount: 0, updatedAt: PAST });
        }
      }
      const { byStatus } = await bench.store.counts();
      expect(byStatus).toEqual(Object.fromEntries(STATUSES.map((status, index) => [status, index + 1])));
    });

    test('counts one name only, where asked', async () => {
      await add(bench.store, ...jobs(3, { name: 'a' }), ...jobs(2, { name: 'b' }));
      expect(await bench.store.counts('a')).toEqual({ byStatus: { pending: 3 } });
      expect(await bench.store.counts('c')).toEqual({ byStatus: {} });
    });

    test('has no mean run time without completed jobs', async () => {
      await addClaimed(bench.store);
      expect('avgProcessingDurationMs' in (await bench.store.counts())).toBe(false);
    });

    test('takes the mean of run times, from the start of the run to its end', async () => {
      await writeCompleted({ executedAt: after(1_000), finishedAt: after(1_100) });
      await writeCompleted({ executedAt: after(2_000), finishedAt: after(2_300), name: 'other' });
      expect((await bench.store.counts()).avgProcessingDurationMs).toBeCloseTo(200);
      expect((await bench.store.counts('other')).avgProcessingDurationMs).toBeCloseTo(300);
    });

    test('takes updatedAt - createdAt for documents without run times', async () => {
      await writeCompleted({ updatedAt: after(5_000) });
      await writeCompleted({ executedAt: after(1_000), finishedAt: after(2_000), updatedAt: after(2_000) });
      expect((await bench.store.counts()).avgProcessingDurationMs).toBeCloseTo(3_000);
    });

    test('leaves documents of which no time is known out of the mean', async () => {
      await bench.database.write({ ...newJob(), status: 'completed', failCount: 0 });
      expect(await bench.store.counts()).toEqual({ byStatus: { completed: 1 } });
      await writeCompleted({ executedAt: after(0), finishedAt: after(50) });
      expect((await bench.store.counts()).avgProcessingDurationMs).toBeCloseTo(50);
    });

    test('leaves failed and cancelled jobs out of the mean', async () => {
      await writeCompleted({ executedAt: after(0), finishedAt: after(50) });
      await writeCompleted({ executedAt: after(0), finishedAt: after(9_000), status: 'failed' });
      expect((await bench.store.counts()).avgProcessingDurationMs).toBeCloseTo(50);
    });
  });

  suite(subject, 'countsByName', (bench) => {
    test('counts every stored name', async () => {
      await add(bench.store, ...jobs(3, { name: 'a' }), newJob({ name: 'b', status: 'created' }));
      await bench.database.write({
        ...newJob({ name: 'b' }),
        status: 'completed',
        failCount: 0,
        updatedAt: after(70),
        executedAt: after(20),
        finishedAt: after(70),
      });
      const counts = await bench.store.countsByName();
      expect([...counts].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
        ['a', { byStatus: { pending: 3 } }],
        ['b', { byStatus: { created: 1, completed: 1 }, avgProcessingDurationMs: 50 }],
      ]);
    });

    test('is empty for an empty store', async () => {
      expect((await bench.store.countsByName()).size).toBe(0);
    });
  });
}
