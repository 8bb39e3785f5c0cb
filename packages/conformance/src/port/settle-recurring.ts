import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, CLAIM_FIELDS, present } from './make-claims.js';
import { addOne, after, ids, only, stored } from './make-jobs.js';
import { batchOf, settle } from './make-settlements.js';

const NEXT = new Date('2999-01-01T00:00:00Z');
const FAILED = { type: 'failed', failCount: 10, reason: 'for good', nextRunAt: NEXT } as const;
const HOURLY = { repeatInterval: '0 * * * *', data: { report: 'sales' }, priority: 3 };

export function settleRecurringTests(subject: ConformanceSubject): void {
  suite(subject, 'settle a recurring job that failed for good', (bench) => {
    const failedCopies = () =>
      bench.store.page({ filter: { statuses: ['failed'] }, by: 'id', direction: 'asc', limit: 10 });

    test('the series waits for its next occurrence with a fail count of 0', async () => {
      const job = await addClaimed(bench.store, HOURLY);
      await settle(bench.store, job, FAILED);
      const series = await stored(bench.store, job);
      expect(series).toMatchObject({ ...HOURLY, status: 'pending', nextRunAt: NEXT, failCount: 0 });
      expect(present(series, [...CLAIM_FIELDS, 'failReason', 'finishedAt'])).toEqual([]);
    });

    test('a failed copy is kept for inspection, and answered', async () => {
      const job = await addClaimed(bench.store, HOURLY);
      const batch = await batchOf(bench.store, job, FAILED, { startedAt: after(5) });
      const answer = only(await bench.store.settle(batch));
      const copy = only(await failedCopies());
      expect(answer).toStrictEqual({ applied: true, job: copy });
      expect(ids([copy])).not.toEqual(ids([job]));
      expect(copy).toMatchObject({
        name: 'work',
        data: HOURLY.data,
        failCount: 10,
        failReason: 'for good',
        nextRunAt: job.nextRunAt,
        // When it was stored: a copy of an old series must not look old to those who tidy up by age.
        createdAt: batch.at,
        updatedAt: batch.at,
        finishedAt: batch.at,
      });
      expect(present(copy, CLAIM_FIELDS)).toEqual([]);
    });

    test('the series keeps its unique key', async () => {
      const job = await addClaimed(bench.store, { ...HOURLY, uniqueKey: 'key' });
      await settle(bench.store, job, FAILED);
      expect(ids([await addOne(bench.store, { uniqueKey: 'key' })])).toEqual(ids([job]));
    });

    test('retrying the copy does not start a second series', async () => {
      const job = await addClaimed(bench.store, HOURLY);
      const { job: copy } = await settle(bench.store, job, FAILED);
      await bench.store.change([copy._id], { type: 'retry' }, await bench.store.now());
      expect(present(await stored(bench.store, copy), ['repeatInterval'])).toEqual([]);
    });

    test('settled again, there is still one copy, and the same is answered', async () => {
      const job = await addClaimed(bench.store, HOURLY);
      const batch = await batchOf(bench.store, job, FAILED);
      const first = await bench.store.settle(batch);
      const second = await bench.store.settle(batch);
      expect(second).toStrictEqual(first);
      only(await failedCopies());
      expect((await bench.store.counts()).byStatus).toEqual({ failed: 1, pending: 1 });
    });

    test('leaves no copy when the claim no longer holds', async () => {
      const job = await addClaimed(bench.store, HOURLY);
      const answer = await settle(bench.store, job, FAILED, { token: 'wrong' });
      expect(answer).toStrictEqual({ applied: false, job });
      expect(await failedCopies()).toEqual([]);
      expect(await stored(bench.store, job)).toStrictEqual(job);
    });

    test('each occurrence that fails leaves a copy of its own', async () => {
      for (let occurrence = 1; occurrence <= 3; occurrence++) {
        const job = await addClaimed(bench.store, { ...HOURLY, data: occurrence });
        await settle(bench.store, job, FAILED);
      }
      expect((await failedCopies()).map(({ data }) => data)).toEqual([1, 2, 3]);
    });
  });
}
