import type { Outcome } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, CLAIM_FIELDS, claim, claimOne, present, tokenOf } from './make-claims.js';
import { add, after, datesOf, jobs, PAST, stored } from './make-jobs.js';
import { batchOf, settle, unclaimed } from './make-settlements.js';

const FUTURE = new Date('2999-01-01T00:00:00.123Z');
const STARTED = after(777);
const NEAR_MS = 10;

const OUTCOMES: readonly Outcome[] = [
  { type: 'completed', result: { sent: true } },
  { type: 'repeat', nextRunAt: FUTURE },
  { type: 'retry', nextRunAt: FUTURE, failCount: 1, reason: 'broken' },
  { type: 'failed', failCount: 10, reason: 'broken for good' },
  { type: 'cancelled', reason: 'not needed' },
  { type: 'snoozed', nextRunAt: FUTURE },
];

export function settleTests(subject: ConformanceSubject): void {
  suite(subject, 'settle', (bench) => {
    /** A running job that failed twice before, so that what is kept and what is removed shows. */
    const addRunning = async () => {
      const job = await addClaimed(bench.store, {
        uniqueKey: 'key',
        repeatInterval: '0 * * * *',
        priority: 2,
      });
      await settle(bench.store, job, { type: 'retry', nextRunAt: PAST, failCount: 2, reason: 'earlier' });
      return claimOne(bench.store);
    };
    const settleRunning = async (outcome: Outcome) => {
      const running = await addRunning();
      const batch = await batchOf(bench.store, running, outcome, { startedAt: STARTED });
      const [answer] = await bench.store.settle(batch);
      expect(answer?.applied).toBe(true);
      const job = await stored(bench.store, running);
      expect(answer?.job).toStrictEqual(job);
      const { executedAt, ...rest } = job;
      // A store that writes many outcomes at once may round the start of each a little.
      expect(Math.abs((executedAt?.getTime() ?? 0) - STARTED.getTime())).toBeLessThanOrEqual(NEAR_MS);
      const { executedAt: _, ...kept } = unclaimed(running);
      return { rest, kept, at: batch.at };
    };

    test('completed: final, the fail count is kept, the reason removed, the result stored', async () => {
      const { rest, kept, at } = await settleRunning({ type: 'completed', result: { sent: [1, null] } });
      const { failReason: _, ...others } = kept;
      expect(rest).toStrictEqual({
        ...others,
        status: 'completed',
        updatedAt: at,
        finishedAt: at,
        result: { sent: [1, null] },
      });
    });

    test('repeat: waits for the next time with a fail count of 0 and without a reason', async () => {
      const { rest, kept, at } = await settleRunning({ type: 'repeat', nextRunAt: FUTURE, result: 'fine' });
      const { failReason: _, ...others } = kept;
      expect(rest).toStrictEqual({
        ...others,
        status: 'pending',
        nextRunAt: FUTURE,
        failCount: 0,
        updatedAt: at,
        result: 'fine',
      });
    });

    test('retry: waits for its time with the new fail count and reason', async () => {
      const outcome = { type: 'retry', nextRunAt: FUTURE, failCount: 3, reason: 'again' } as const;
      const { rest, kept, at } = await settleRunning(outcome);
      expect(rest).toStrictEqual({
        ...kept,
        status: 'pending',
        nextRunAt: FUTURE,
        failCount: 3,
        failReason: 'again',
        updatedAt: at,
      });
    });

    test('failed: final, with the fail count and the reason; the due time stays', async () => {
      const { rest, kept, at } = await settleRunning({ type: 'failed', failCount: 10, reason: 'for good' });
      expect(rest).toStrictEqual({
        ...kept,
        status: 'failed',
        failCount: 10,
        failReason: 'for good',
        updatedAt: at,
        finishedAt: at,
      });
    });

    test('cancelled: final, the fail count is kept, the reason stored', async () => {
      const { rest, kept, at } = await settleRunning({ type: 'cancelled', reason: 'not needed' });
      expect(rest).toStrictEqual({
        ...kept,
        status: 'cancelled',
        failReason: 'not needed',
        updatedAt: at,
        finishedAt: at,
      });
    });

    test('snoozed: waits for its time, and the fail count and reason stay', async () => {
      const { rest, kept, at } = await settleRunning({ type: 'snoozed', nextRunAt: FUTURE });
      expect(rest).toStrictEqual({ ...kept, status: 'pending', nextRunAt: FUTURE, updatedAt: at });
    });

    test('answers jobs that share no date, neither with each other nor with the batch', async () => {
      await add(bench.store, ...jobs(3));
      const { jobs: running } = await claim(bench.store);
      const [at, startedAt] = [await bench.store.now(), await bench.store.now()];
      const outcome = { type: 'completed' } as const;
      const items = running.map((job) => ({ job, token: tokenOf(job), startedAt, outcome }));
      const answers = await bench.store.settle({ at, items });
      const dates = [at, startedAt, ...answers.flatMap(({ job }) => datesOf(job))];
      expect(dates.length).toBeGreaterThan(3 * 4);
      expect(new Set(dates).size).toBe(dates.length);
    });

    test.each(OUTCOMES)('$type: nothing of the claim is left, not even a key', async (outcome) => {
      const job = await addClaimed(bench.store);
      await settle(bench.store, job, outcome);
      expect(present(await stored(bench.store, job), CLAIM_FIELDS)).toEqual([]);
    });

    test('completed without a result: the key is not there', async () => {
      const job = await addClaimed(bench.store);
      await settle(bench.store, job, { type: 'completed' });
      expect(present(await stored(bench.store, job), ['result', 'failReason'])).toEqual([]);
    });

    test('repeat without a result: the one of the run before is gone', async () => {
      const first = await addClaimed(bench.store);
      await settle(bench.store, first, { type: 'repeat', nextRunAt: PAST, result: 'old' });
      const second = await claimOne(bench.store);
      await settle(bench.store, second, { type: 'repeat', nextRunAt: FUTURE });
      expect(present(await stored(bench.store, second), ['result'])).toEqual([]);
    });

    const results: readonly unknown[] = [
      0,
      '',
      false,
      null,
      [],
      'text',
      { $set: { name: 'x' } },
      '$name',
      '$$NOW',
    ];
    test.each(results.map((result) => ({ result })))(
      'stores a result as it is: $result',
      async ({ result }) => {
        const job = await addClaimed(bench.store);
        await settle(bench.store, job, { type: 'completed', result });
        expect((await stored(bench.store, job)).result).toStrictEqual(result);
      },
    );

    test.each(['$data', '$$ROOT', 'line\nline', '', 'x'.repeat(20_000)])(
      'stores a reason as it is: %.20j',
      async (reason) => {
        const job = await addClaimed(bench.store);
        await settle(bench.store, job, { type: 'failed', failCount: 1, reason });
        expect((await stored(bench.store, job)).failReason).toBe(reason);
      },
    );

    test('a job that waits again is claimed when its time has come, not before', async () => {
      const job = await addClaimed(bench.store);
      await settle(bench.store, job, { type: 'retry', nextRunAt: FUTURE, failCount: 1, reason: 'broken' });
      expect((await claim(bench.store)).jobs).toEqual([]);
      expect(await claimOne(bench.store, { now: FUTURE })).toMatchObject({
        failCount: 1,
        failReason: 'broken',
      });
    });

    test('writes many outcomes of every kind in one batch, and answers in its order', async () => {
      await add(bench.store, ...jobs(600));
      const { jobs: claimed } = await claim(bench.store, {
        total: 600,
        wants: [{ name: 'work', limit: 600 }],
      });
      const at = await bench.store.now();
      const items = claimed.map((job, index) => ({
        job,
        token: tokenOf(job),
        startedAt: at,
        outcome: OUTCOMES[index % OUTCOMES.length] as Outcome,
      }));
      const answers = await bench.store.settle({ at, items });
      expect(answers.map(({ job }) => String(job._id))).toEqual(claimed.map(({ _id }) => String(_id)));
      expect(answers.every(({ applied }) => applied)).toBe(true);
      const { byStatus } = await bench.store.counts();
      expect(byStatus).toEqual({ completed: 100, pending: 300, failed: 100, cancelled: 100 });
    });

    test('keeps apart the results and reasons of one batch', async () => {
      await add(bench.store, ...jobs(50));
      const { jobs: claimed } = await claim(bench.store);
      const at = await bench.store.now();
      const items = claimed.map((job, index) => {
        const outcome: Outcome =
          index % 2
            ? { type: 'completed', result: { index } }
            : { type: 'retry', nextRunAt: after(index), failCount: index, reason: `reason ${index}` };
        return { job, token: tokenOf(job), startedAt: at, outcome };
      });
      await bench.store.settle({ at, items });
      for (const [index, job] of claimed.entries()) {
        const now = await stored(bench.store, job);
        if (index % 2) expect(now.result).toEqual({ index });
        else
          expect(now).toMatchObject({
            nextRunAt: after(index),
            failCount: index,
            failReason: `reason ${index}`,
          });
      }
    });

    test('does nothing for an empty batch', async () => {
      expect(await bench.store.settle({ at: PAST, items: [] })).toEqual([]);
    });
  });
}
