import type { Outcome } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, claimOne, held, tokenOf } from './make-claims.js';
import { addOne, after, ids, only, PAST, stored } from './make-jobs.js';
import { batchOf, settle } from './make-settlements.js';

const DONE: Outcome = { type: 'completed', result: 'late' };

export function settleFencingTests(subject: ConformanceSubject): void {
  suite(subject, 'settle, when the claim no longer holds', (bench) => {
    test('changes nothing under a wrong token', async () => {
      const job = await addClaimed(bench.store);
      const answer = await settle(bench.store, job, DONE, { token: 'wrong' });
      expect(answer).toStrictEqual({ applied: false, job });
      expect(await stored(bench.store, job)).toStrictEqual(job);
    });

    test('changes nothing that was never claimed', async () => {
      const job = await addOne(bench.store);
      expect((await settle(bench.store, job, DONE, { token: 'wrong' })).applied).toBe(false);
      expect(await stored(bench.store, job)).toStrictEqual(job);
    });

    test('changes nothing after another outcome of the same run', async () => {
      const job = await addClaimed(bench.store);
      const first = await settle(bench.store, job, { type: 'failed', failCount: 1, reason: 'first' });
      const late = { at: new Date(first.job.updatedAt.getTime() + 5), items: [lateItem(job)] };
      expect(only(await bench.store.settle(late)).applied).toBe(false);
      expect(await stored(bench.store, job)).toStrictEqual(first.job);
    });

    test.each([
      ['the same outcome at another time', 5, DONE],
      ['another outcome at the same time', 0, { type: 'failed', failCount: 1, reason: 'late' }],
    ] as const)('does not take %s for the one that is stored', async (_, later, outcome) => {
      const job = await addClaimed(bench.store);
      const first = await settle(bench.store, job, { type: 'completed', result: 'first' });
      const at = new Date(first.job.updatedAt.getTime() + later);
      const answer = only(await bench.store.settle({ at, items: [{ ...lateItem(job), outcome }] }));
      expect(answer).toStrictEqual({ applied: false, job });
      expect(await stored(bench.store, job)).toStrictEqual(first.job);
    });

    test('changes nothing after the claim was recovered and taken again', async () => {
      const job = await addClaimed(bench.store);
      const now = await bench.store.now();
      await waitUntilRecovered(job);
      expect((await settle(bench.store, job, DONE)).applied).toBe(false);
      const again = await claimOne(bench.store, { owner: 'another', now });
      expect((await settle(bench.store, job, DONE)).applied).toBe(false);
      expect(await stored(bench.store, job)).toStrictEqual(again);
      expect((await settle(bench.store, again, DONE)).applied).toBe(true);
    });

    test('changes nothing after the claim was given back and taken again by the same owner', async () => {
      const job = await addClaimed(bench.store);
      await bench.store.release([held(job)], await bench.store.now());
      const again = await claimOne(bench.store);
      expect((await settle(bench.store, job, DONE)).applied).toBe(false);
      expect(await stored(bench.store, job)).toStrictEqual(again);
    });

    test('changes nothing after the job was cancelled', async () => {
      const job = await addClaimed(bench.store);
      const cancel = { type: 'cancel', running: true } as const;
      const { job: cancelled } = only(await bench.store.change([job._id], cancel, await bench.store.now()));
      expect((await settle(bench.store, job, DONE)).applied).toBe(false);
      expect(await stored(bench.store, job)).toStrictEqual(cancelled);
    });

    test('stores nothing after the job was removed', async () => {
      const job = await addClaimed(bench.store);
      await bench.store.remove([job._id]);
      expect(await settle(bench.store, job, DONE)).toStrictEqual({ applied: false, job });
      expect(await bench.store.get([job._id])).toEqual([]);
    });

    test('writes the others of the batch', async () => {
      const [lost, kept] = [await addClaimed(bench.store), await addClaimed(bench.store)];
      await bench.store.release([held(lost)], PAST);
      const at = await bench.store.now();
      const items = [lost, kept].map((job) => ({ job, token: tokenOf(job), startedAt: at, outcome: DONE }));
      const answers = await bench.store.settle({ at, items });
      expect(answers.map(({ applied }) => applied)).toEqual([false, true]);
      expect(ids(answers.map(({ job }) => job))).toEqual(ids([lost, kept]));
      expect((await stored(bench.store, lost)).status).toBe('pending');
      expect((await stored(bench.store, kept)).status).toBe('completed');
    });

    test('one of two processes that settle the same run at once wins', async () => {
      const other = await bench.connect();
      for (let round = 0; round < 10; round++) {
        const job = await addClaimed(bench.store);
        const outcome: Outcome = { type: 'failed', failCount: 1, reason: 'lost the race' };
        const at = await bench.store.now();
        const later = new Date(at.getTime() + 1);
        const answers = await Promise.all([
          bench.store.settle({ at, items: [lateItem(job)] }),
          other.settle({ at: later, items: [{ ...lateItem(job), outcome }] }),
        ]);
        expect(answers.flat().filter(({ applied }) => applied)).toHaveLength(1);
      }
    });

    const lateItem = (job: Awaited<ReturnType<typeof addClaimed>>) => ({
      job,
      token: tokenOf(job),
      startedAt: PAST,
      outcome: DONE,
    });

    const waitUntilRecovered = async (job: Awaited<ReturnType<typeof addClaimed>>) => {
      const timeouts = { lockTimeout: 1, legacyLockTimeout: 1 };
      while ((await stored(bench.store, job)).status === 'processing') {
        await bench.store.recover({ now: await bench.store.now(), ...timeouts });
      }
    };
  });

  suite(subject, 'settle again, after an error whose effect is unknown', (bench) => {
    const outcomes: readonly Outcome[] = [
      DONE,
      { type: 'completed' },
      { type: 'repeat', nextRunAt: after(5_000), result: 1 },
      { type: 'retry', nextRunAt: after(5_000), failCount: 3, reason: 'broken' },
      { type: 'failed', failCount: 3, reason: 'broken' },
      { type: 'cancelled', reason: 'enough' },
      { type: 'snoozed', nextRunAt: after(5_000) },
    ];

    test.each(outcomes)('$type: is applied once and reported as applied both times', async (outcome) => {
      const job = await addClaimed(bench.store);
      const batch = await batchOf(bench.store, job, outcome);
      const first = await bench.store.settle(batch);
      const second = await bench.store.settle(batch);
      expect(first.map(({ applied }) => applied)).toEqual([true]);
      expect(second).toStrictEqual(first);
      expect(await stored(bench.store, job)).toStrictEqual(only(first).job);
    });

    test('works from another process', async () => {
      const other = await bench.connect();
      const job = await addClaimed(bench.store);
      const batch = await batchOf(bench.store, job, DONE);
      await bench.store.settle(batch);
      expect(only(await other.settle(batch)).applied).toBe(true);
    });

    test('writes what the first try did not reach', async () => {
      const [a, b] = [await addClaimed(bench.store), await addClaimed(bench.store)];
      const at = await bench.store.now();
      const items = [a, b].map((job) => ({ job, token: tokenOf(job), startedAt: at, outcome: DONE }));
      await bench.store.settle({ at, items: items.slice(0, 1) });
      const answers = await bench.store.settle({ at, items });
      expect(answers.map(({ applied }) => applied)).toEqual([true, true]);
      expect((await bench.store.counts()).byStatus).toEqual({ completed: 2 });
    });
  });
}
