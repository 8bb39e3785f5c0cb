import type { Change, JobStatus } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, CLAIM_FIELDS, claim, claimOne, present } from './make-claims.js';
import { add, addOne, after, ids, jobs, newJob, only, PAST, stored } from './make-jobs.js';
import { settle, unclaimed } from './make-settlements.js';

const STATUSES: readonly JobStatus[] = [
  'pending',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'created',
  'awaiting-continuation',
  'awaiting-batch',
];
const NOW = after(60_000);
const CANCEL: Change = { type: 'cancel', running: false };
const CANCEL_RUNNING: Change = { type: 'cancel', running: true };
const RETRY: Change = { type: 'retry' };
const RELEASE: Change = { type: 'release' };
const RESCHEDULE: Change = { type: 'reschedule', runAt: after(123_456) };
const WAITING = ['awaiting-continuation', 'awaiting-batch'] as const;

export function changeTests(subject: ConformanceSubject): void {
  suite(subject, 'change', (bench) => {
    const change = (job: { _id: unknown }, request: Change) => bench.store.change([job._id], request, NOW);
    const addFailed = async (parts = {}) => {
      const job = await addClaimed(bench.store, parts);
      return (await settle(bench.store, job, { type: 'failed', failCount: 3, reason: 'broken' })).job;
    };

    test.each([
      [CANCEL, ['pending', ...WAITING]],
      [CANCEL_RUNNING, ['pending', 'processing', ...WAITING]],
      [RETRY, ['failed', 'cancelled']],
      [RESCHEDULE, ['pending']],
      [RELEASE, ['created']],
    ] as const)('%j is for these statuses only: %j', async (request, allowed) => {
      const written = new Map<string, unknown>();
      for (const status of STATUSES) {
        const document = { ...newJob(), status, failCount: 0, updatedAt: PAST };
        written.set(status, await bench.database.write(document));
      }
      const changed = await bench.store.change([...written.values()], request, NOW);
      expect(changed.map(({ previousStatus }) => previousStatus).sort()).toEqual([...allowed].sort());
      for (const status of STATUSES) {
        const job = await stored(bench.store, { _id: written.get(status) });
        const isAllowed = (allowed as readonly string[]).includes(status);
        expect(job.updatedAt).toEqual(isAllowed ? NOW : PAST);
        if (!isAllowed) expect(job.status).toBe(status);
      }
    });

    test('cancel: final, with the time, and nothing else changed', async () => {
      const job = await addOne(bench.store, { uniqueKey: 'key' });
      const changed = only(await change(job, CANCEL));
      const expected = { ...job, status: 'cancelled', updatedAt: NOW, finishedAt: NOW };
      expect(changed).toStrictEqual({ job: expected, previousStatus: 'pending' });
      expect(await stored(bench.store, job)).toStrictEqual(expected);
      expect((await claim(bench.store)).jobs).toEqual([]);
    });

    test('cancel a running job: its claim is gone', async () => {
      const job = await addClaimed(bench.store);
      const changed = only(await change(job, CANCEL_RUNNING));
      expect(changed).toStrictEqual({
        job: { ...unclaimed(job), status: 'cancelled', updatedAt: NOW, finishedAt: NOW },
        previousStatus: 'processing',
      });
      expect(present(await stored(bench.store, job), CLAIM_FIELDS)).toEqual([]);
    });

    test('cancel: frees the unique key', async () => {
      const job = await addOne(bench.store, { uniqueKey: 'key' });
      await change(job, CANCEL);
      expect(ids([await addOne(bench.store, { uniqueKey: 'key' })])).not.toEqual(ids([job]));
    });

    test('retry: pending and due now, fail count 0, reason and finish removed', async () => {
      const job = await addFailed();
      const { failReason: _, finishedAt: _f, ...rest } = job;
      const expected = { ...rest, status: 'pending', failCount: 0, nextRunAt: NOW, updatedAt: NOW };
      expect(only(await change(job, RETRY))).toStrictEqual({ job: expected, previousStatus: 'failed' });
      expect(await claimOne(bench.store)).toMatchObject({ failCount: 0 });
    });

    test('retry: what the earlier run left behind is gone', async () => {
      const left = { progress: { value: 40, at: PAST }, result: { rows: 3 } };
      const document = { ...newJob(), ...left, status: 'failed', failCount: 3, updatedAt: PAST };
      const id = await bench.database.write(document);
      const { job } = only(await change({ _id: id }, RETRY));
      expect(present(job, ['progress', 'result'])).toEqual([]);
      expect(await stored(bench.store, job)).toStrictEqual(job);
    });

    test('retry: a failed document of others, which lacks its due time', async () => {
      const { nextRunAt: _, ...bare } = newJob();
      const document = { ...bare, status: 'failed', failCount: 10, updatedAt: PAST, lockedAt: null };
      const id = await bench.database.write(document);
      expect(only(await change({ _id: id }, RETRY)).job).toMatchObject({ status: 'pending', nextRunAt: NOW });
      await claimOne(bench.store);
    });

    test('reschedule: another due time, and nothing else changed', async () => {
      const job = await addOne(bench.store);
      const changed = only(await change(job, RESCHEDULE));
      expect(changed.job).toStrictEqual({ ...job, nextRunAt: after(123_456), updatedAt: NOW });
      expect(await bench.store.nextDueAt(['work'], PAST)).toEqual(after(123_456));
    });

    test('release: the due time stays, or is now where that has passed', async () => {
      const past = await addOne(bench.store, { status: 'created', nextRunAt: PAST });
      const future = await addOne(bench.store, { status: 'created', nextRunAt: after(90_000) });
      await bench.store.change([past._id, future._id], RELEASE, NOW);
      expect(await stored(bench.store, past)).toStrictEqual({
        ...past,
        status: 'pending',
        nextRunAt: NOW,
        updatedAt: NOW,
      });
      expect(await stored(bench.store, future)).toStrictEqual({
        ...future,
        status: 'pending',
        updatedAt: NOW,
      });
    });

    test('answers the changed jobs only', async () => {
      const [a, b] = await add(bench.store, ...jobs(2));
      const running = await addClaimed(bench.store, { name: 'running' });
      const gone = await addOne(bench.store);
      await bench.store.remove([gone._id]);
      const all = [a, b, running, gone].map((job) => job?._id);
      const changed = await bench.store.change(all, CANCEL, NOW);
      expect(ids(changed.map(({ job }) => job)).sort()).toEqual([String(a?._id), String(b?._id)].sort());
      expect(await bench.store.change([], CANCEL, NOW)).toEqual([]);
    });

    test('one of many callers at once changes the job', async () => {
      const other = await bench.connect();
      const job = await addOne(bench.store);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, turn) =>
          (turn % 2 ? other : bench.store).change([job._id], CANCEL, NOW),
        ),
      );
      only(answers.flat());
    });
  });

  suite(subject, 'change that would break a unique key', (bench) => {
    test.each([
      ['retry', RETRY, { type: 'failed', failCount: 1, reason: 'broken' }],
      ['retry of a cancelled job', RETRY, { type: 'cancelled' }],
    ] as const)('%s is not applied', async (_, request, outcome) => {
      const first = await addClaimed(bench.store, { uniqueKey: 'key' });
      const { job } = await settle(bench.store, first, outcome);
      await addOne(bench.store, { uniqueKey: 'key' });
      expect(await bench.store.change([job._id], request, NOW)).toEqual([]);
      expect(await stored(bench.store, job)).toStrictEqual(job);
    });

    test('release is not applied', async () => {
      const held = await addOne(bench.store, { uniqueKey: 'key', status: 'created' });
      await addOne(bench.store, { uniqueKey: 'key' });
      expect(await bench.store.change([held._id], RELEASE, NOW)).toEqual([]);
      expect(await stored(bench.store, held)).toStrictEqual(held);
    });

    test('of two with the same key one is changed, and the others of the batch are', async () => {
      const held = await add(
        bench.store,
        newJob({ uniqueKey: 'key', status: 'created' }),
        newJob({ uniqueKey: 'key', status: 'created' }),
        newJob({ uniqueKey: 'other', status: 'created' }),
        newJob({ status: 'created' }),
      );
      const all = held.map(({ _id }) => _id);
      const changed = await bench.store.change(all, RELEASE, NOW);
      expect(changed).toHaveLength(3);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 3, created: 1 });
    });
  });
}
