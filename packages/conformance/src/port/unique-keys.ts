import type { JobStore, NewJob } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, claimOne, tokenOf } from './make-claims.js';
import { addOne, after, ids, keeping, newJob, only, PAST, stored } from './make-jobs.js';
import { settle } from './make-settlements.js';

const KEYED = { uniqueKey: 'key' };

async function insertOne(store: JobStore, parts: Partial<NewJob>) {
  return only(await store.insert(keeping(newJob({ ...KEYED, ...parts }))));
}

export function uniqueKeyTests(subject: ConformanceSubject): void {
  suite(subject, 'unique keys', (bench) => {
    test('a key that a pending job has yields that job, unchanged, with its own data', async () => {
      const first = await addOne(bench.store, { ...KEYED, data: 'first' });
      const second = await insertOne(bench.store, { data: 'second', nextRunAt: after(5), priority: 7 });
      expect(second).toStrictEqual({ job: first, outcome: 'existing' });
      expect(await stored(bench.store, first)).toStrictEqual(first);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 1 });
    });

    test('a key that reads as an error of a database does is a key like any other', async () => {
      const uniqueKey = 'x index: _id_ dup key: { _id: 1 } y';
      const first = await addOne(bench.store, { ...KEYED, uniqueKey });
      expect(await insertOne(bench.store, { uniqueKey })).toStrictEqual({ job: first, outcome: 'existing' });
    });

    test('a key that a processing job has yields that job', async () => {
      const running = await addClaimed(bench.store, { ...KEYED, data: 'first' });
      const second = await insertOne(bench.store, { data: 'second' });
      expect(second).toStrictEqual({ job: running, outcome: 'existing' });
    });

    test.each([
      { type: 'completed' },
      { type: 'failed', failCount: 1, reason: 'broken' },
      { type: 'cancelled' },
    ] as const)('a job that is $type does not block its key', async (outcome) => {
      const job = await addClaimed(bench.store, KEYED);
      const at = await bench.store.now();
      await bench.store.settle({ at, items: [{ job, token: tokenOf(job), startedAt: at, outcome }] });
      const next = await insertOne(bench.store, {});
      expect(next.outcome).toBe('inserted');
      expect(ids([next.job])).not.toEqual(ids([job]));
    });

    test('a held job does not block its key, and a key that is taken keeps it from being stored', async () => {
      expect((await insertOne(bench.store, { status: 'created' })).outcome).toBe('inserted');
      const { job, outcome } = await insertOne(bench.store, {});
      expect(outcome).toBe('inserted');
      expect(await insertOne(bench.store, { status: 'created' })).toStrictEqual({ job, outcome: 'existing' });
    });

    test('a job that waits for its retry keeps its key', async () => {
      const job = await addClaimed(bench.store, KEYED);
      const at = await bench.store.now();
      const outcome = { type: 'retry', nextRunAt: at, failCount: 1, reason: 'broken' } as const;
      await bench.store.settle({ at, items: [{ job, token: tokenOf(job), startedAt: at, outcome }] });
      expect((await insertOne(bench.store, {})).outcome).toBe('existing');
    });

    test('the same key under another name is another key', async () => {
      await addOne(bench.store, KEYED);
      expect((await insertOne(bench.store, { name: 'other' })).outcome).toBe('inserted');
    });

    test('keys differ by case, blanks and accents', async () => {
      const keys = ['key', 'Key', ' key', 'key ', 'kéy'];
      const answers = await bench.store.insert(keeping(...keys.map((uniqueKey) => newJob({ uniqueKey }))));
      expect(answers.map(({ outcome }) => outcome)).toEqual(keys.map(() => 'inserted'));
    });

    test('two requests of one batch with the same key give one job', async () => {
      const answers = await bench.store.insert(
        keeping(
          newJob({ ...KEYED, data: 1 }),
          newJob({ data: 2 }),
          newJob({ ...KEYED, data: 3 }),
          newJob({ uniqueKey: 'other', data: 4 }),
        ),
      );
      expect(answers.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'existing', 'inserted']);
      expect(answers.map(({ job }) => job.data)).toEqual([1, 2, 1, 4]);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 3 });
    });

    test('fifty requests at once from two processes give one job and no error', async () => {
      const stores = [bench.store, await bench.connect()];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, number) =>
          insertOne(stores[number % 2] as JobStore, { data: { number } }),
        ),
      );
      expect(answers.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1);
      expect(new Set(ids(answers.map(({ job }) => job))).size).toBe(1);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 1 });
    });

    test('batches at once from two processes, with the same keys in another order, give one job per key', async () => {
      const stores = [bench.store, await bench.connect()];
      const keys = Array.from({ length: 20 }, (_, number) => `key-${number}`);
      const batches = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => {
          const rotated = [...keys.slice(turn), ...keys.slice(0, turn)];
          return (stores[turn % 2] as JobStore).insert(
            keeping(...rotated.map((uniqueKey) => newJob({ uniqueKey }))),
          );
        }),
      );
      expect(batches.flat().filter(({ outcome }) => outcome === 'inserted')).toHaveLength(20);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 20 });
    });

    test('a key is never taken twice while its jobs are claimed and finished', async () => {
      const other = await bench.connect();
      const finishOne = async () => {
        const { jobs } = await other.claim({
          owner: 'owner',
          token: crypto.randomUUID(),
          wants: [{ name: 'work', limit: 1 }],
          total: 1,
          now: after(1),
          heartbeatInterval: 1_000,
        });
        const items = jobs.map((job) => ({
          job,
          token: tokenOf(job),
          startedAt: PAST,
          outcome: { type: 'completed' } as const,
        }));
        await other.settle({ at: await other.now(), items });
      };
      for (let round = 0; round < 20; round++) {
        await Promise.all([insertOne(bench.store, {}), insertOne(other, {}), finishOne()]);
        const { pending = 0, processing = 0 } = (await bench.store.counts()).byStatus;
        expect(pending + processing).toBeLessThanOrEqual(1);
      }
    });
  });

  suite(subject, 'unique keys, onDuplicate replace', (bench) => {
    const replace = async (parts: Partial<NewJob>) =>
      only(await bench.store.insert([{ job: newJob({ ...KEYED, ...parts }), onDuplicate: 'replace' }]));

    test('puts data, due time and options into a pending job, which keeps its id and creation', async () => {
      const first = await addOne(bench.store, { ...KEYED, data: 'old' });
      const { job, outcome } = await replace({
        data: 'new',
        nextRunAt: after(90_000),
        createdAt: after(500),
        priority: 5,
        maxRetries: 2,
        timeout: 100,
        backoff: { type: 'fixed', delay: 1 },
      });
      expect(outcome).toBe('replaced');
      expect(job).toStrictEqual({
        ...first,
        data: 'new',
        nextRunAt: after(90_000),
        updatedAt: after(500),
        priority: 5,
        maxRetries: 2,
        timeout: 100,
        backoff: { type: 'fixed', delay: 1 },
      });
      expect(await stored(bench.store, first)).toStrictEqual(job);
    });

    test('removes options that the new job does not bring', async () => {
      const first = await addOne(bench.store, { ...KEYED, priority: 5, maxRetries: 2, timeout: 100 });
      const { job } = await replace({ createdAt: after(500) });
      const { priority: _p, maxRetries: _m, timeout: _t, ...rest } = first;
      expect(job).toStrictEqual({ ...rest, updatedAt: after(500) });
    });

    test('lets the job start afresh, without what earlier attempts left', async () => {
      const claimed = await addClaimed(bench.store, KEYED);
      const retry = { type: 'retry', nextRunAt: after(60_000), failCount: 3, reason: 'broken' } as const;
      await settle(bench.store, claimed, retry);
      const { job, outcome } = await replace({});
      expect(outcome).toBe('replaced');
      expect(job.failCount).toBe(0);
      expect(job).not.toHaveProperty('failReason');
      expect(await stored(bench.store, claimed)).toStrictEqual(job);
    });

    test('changes when and in which order the job is claimed', async () => {
      await addOne(bench.store, KEYED);
      const now = await bench.store.now();
      await replace({ nextRunAt: new Date(now.getTime() + 60_000) });
      expect((await bench.store.nextDueAt(['work'], now))?.getTime()).toBe(now.getTime() + 60_000);
      await replace({ nextRunAt: PAST, data: 'due again' });
      expect((await claimOne(bench.store)).data).toBe('due again');
    });

    test('keeps a processing job as it is', async () => {
      const running = await addClaimed(bench.store, { ...KEYED, data: 'old' });
      expect(await replace({ data: 'new' })).toStrictEqual({ job: running, outcome: 'existing' });
      expect(await stored(bench.store, running)).toStrictEqual(running);
    });

    test('stores the job where none has the key', async () => {
      expect((await replace({ data: 'new' })).outcome).toBe('inserted');
    });

    test('many at once leave one job', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, data) => replace({ data })));
      expect(answers.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 1 });
    });
  });
}
