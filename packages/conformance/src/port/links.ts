import type { Change, JobFilter, NewJob } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { addClaimed, CLAIM_FIELDS, claim, claimOne, present } from './make-claims.js';
import { add, addOne, after, ids, newJob, only, PAST, stored } from './make-jobs.js';
import { settle } from './make-settlements.js';

const NOW = after(60_000);
const FUTURE = new Date('2999-01-01T00:00:00Z');
const ALL = 1_000;
const FORGO: Change = { type: 'forgo', reason: 'The parent failed' };
const PROCEED: Change = { type: 'proceed' };
const AWAIT: Change = { type: 'await' };
const WAITING = ['awaiting-continuation', 'awaiting-batch'] as const;

/** What every waiting job of these tests has, as its kind wants. */
const child = (parentJobId: unknown, parts: Partial<NewJob> = {}) =>
  newJob({ status: 'awaiting-continuation', parentJobId, ...parts });
const follower = (batchId: string, parts: Partial<NewJob> = {}) =>
  newJob({ status: 'awaiting-batch', batchId, awaitsBatchId: batchId, ...parts });
const member = (batchId: string, parts: Partial<NewJob> = {}) => newJob({ batchId, ...parts });
const unreleased = (batchId: string, claimToken: string) =>
  member(batchId, { status: 'awaiting-batch', claimToken });

export function linkTests(subject: ConformanceSubject): void {
  suite(subject, 'jobs that are tied to others', (bench) => {
    const dataOf = async (filter: JobFilter) => {
      const found = await bench.store.page({ filter, by: 'id', direction: 'asc', limit: ALL });
      return found.map(({ data }) => data);
    };
    const change = (job: { _id: unknown }, request: Change) => bench.store.change([job._id], request, NOW);

    test('are stored with what ties them, and nobody claims them while they wait', async () => {
      const parent = await addOne(bench.store, { nextRunAt: FUTURE });
      const one = await addOne(bench.store, child(parent._id, { continueOn: 'failure' }));
      expect(await stored(bench.store, one)).toStrictEqual(one);
      expect(one).toMatchObject({ status: 'awaiting-continuation', continueOn: 'failure' });
      expect(String(one.parentJobId)).toBe(String(parent._id));
      const other = await addOne(bench.store, follower('batch', { continueOn: 'any' }));
      expect(await stored(bench.store, other)).toStrictEqual(other);
      expect(other).toMatchObject({ batchId: 'batch', awaitsBatchId: 'batch', continueOn: 'any' });
      const third = await addOne(bench.store, unreleased('batch', 'fill'));
      expect(await stored(bench.store, third)).toMatchObject({ batchId: 'batch', claimToken: 'fill' });
      expect((await claim(bench.store)).jobs).toEqual([]);
      expect(await bench.store.nextDueAt(['work'], after(-1))).toEqual(FUTURE);
    });

    test('a job without ties has none of the fields', async () => {
      const job = await stored(bench.store, await addOne(bench.store));
      expect(present(job, ['parentJobId', 'batchId', 'awaitsBatchId', 'continueOn'])).toEqual([]);
    });

    test('are found by id, by parent, by batch and by fill', async () => {
      const [a, b] = await add(bench.store, newJob({ data: 'a' }), newJob({ data: 'b' }));
      await add(
        bench.store,
        child(a?._id, { data: 'a1' }),
        child(a?._id, { data: 'a2' }),
        child(b?._id, { data: 'b1' }),
        member('x', { data: 'x1' }),
        follower('x', { data: 'after x' }),
        { ...unreleased('x', 'fill'), data: 'x2' },
        member('y', { data: 'y1' }),
      );
      expect(await dataOf({ ids: [a?._id, b?._id] })).toEqual(['a', 'b']);
      expect(await dataOf({ ids: [] })).toEqual([]);
      expect(await dataOf({ parents: [a?._id] })).toEqual(['a1', 'a2']);
      expect(await dataOf({ parents: [a?._id, b?._id], statuses: ['awaiting-continuation'] })).toHaveLength(
        3,
      );
      expect(await dataOf({ parents: [a?._id], statuses: ['pending'] })).toEqual([]);
      expect(await dataOf({ memberOf: 'x' })).toEqual(['x1', 'x2']);
      expect(await dataOf({ memberOf: 'x', statuses: ['pending'] })).toEqual(['x1']);
      expect(await dataOf({ awaitsBatch: 'x' })).toEqual(['after x']);
      expect(await dataOf({ memberOf: 'x', fill: 'fill', statuses: ['awaiting-batch'] })).toEqual(['x2']);
      expect(await dataOf({ memberOf: 'x', fill: 'other', statuses: ['awaiting-batch'] })).toEqual([]);
      expect(await dataOf({ statuses: WAITING, fill: null })).toEqual(['a1', 'a2', 'b1', 'after x']);
      expect(await dataOf({ memberOf: 'z' })).toEqual([]);
    });

    test('a light page leaves out what may be large, and nothing else', async () => {
      const parent = await addOne(bench.store, { data: { large: true } });
      await bench.database.write({
        ...newJob({ data: 'large' }),
        status: 'failed',
        failCount: 1,
        failReason: 'broken',
        updatedAt: PAST,
        progress: { value: 1, at: PAST },
      });
      await addOne(bench.store, child(parent._id, { data: 'large' }));
      for (const by of ['id', 'createdAt', 'updatedAt', 'nextRunAt'] as const) {
        const request = { filter: {}, by, direction: 'asc', limit: ALL } as const;
        const full = await bench.store.page(request);
        const light = await bench.store.page({ ...request, light: true });
        expect(light).toHaveLength(3);
        for (const [index, job] of full.entries()) {
          const { data: _, result: _r, progress: _p, ...rest } = job;
          expect(light[index]).toStrictEqual(rest);
        }
      }
    });

    test.each([
      [PROCEED, WAITING],
      [FORGO, WAITING],
      [AWAIT, []],
    ] as const)('%j is for these statuses only: %j', async (request, allowed) => {
      const statuses = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'created', ...WAITING];
      const written = [];
      for (const status of statuses) {
        written.push(await bench.database.write({ ...newJob(), status, failCount: 0, updatedAt: PAST }));
      }
      const changed = await bench.store.change(written, request, NOW);
      expect(changed.map(({ previousStatus }) => previousStatus).sort()).toEqual([...allowed].sort());
    });

    test('proceed: pending, due when it was to be or now, without the token of a fill', async () => {
      const [past, future] = await add(
        bench.store,
        unreleased('batch', 'fill'),
        follower('batch', { nextRunAt: after(90_000) }),
      );
      if (past === undefined || future === undefined) throw new Error('Two jobs were stored');
      const changed = await bench.store.change([past._id, future._id], PROCEED, NOW);
      const { claimToken: _, ...rest } = past;
      const expected = { ...rest, status: 'pending', nextRunAt: NOW, updatedAt: NOW };
      expect(changed.find(({ job }) => job.nextRunAt.getTime() === NOW.getTime())).toStrictEqual({
        job: expected,
        previousStatus: 'awaiting-batch',
      });
      expect(await stored(bench.store, past)).toStrictEqual(expected);
      expect(await stored(bench.store, future)).toMatchObject({
        status: 'pending',
        nextRunAt: after(90_000),
        batchId: 'batch',
        awaitsBatchId: 'batch',
      });
      expect(await bench.store.change([past._id], PROCEED, NOW)).toEqual([]);
      expect(ids([await claimOne(bench.store, { now: NOW })])).toEqual(ids([past]));
    });

    test('of many who let a job go at the same moment one does', async () => {
      const stores = await Promise.all(Array.from({ length: 4 }, () => bench.connect()));
      const waiting = await add(bench.store, ...Array.from({ length: 25 }, () => follower('batch')));
      const answers = await Promise.all(
        stores.map(async (store, index) =>
          index % 2
            ? (
                await store.change(
                  ids(waiting).map((id) => store.parseId(id)),
                  PROCEED,
                  NOW,
                )
              ).length
            : store.changeWhere({ awaitsBatch: 'batch', statuses: WAITING }, PROCEED, NOW, ALL),
        ),
      );
      expect(answers.reduce((sum, count) => sum + count, 0)).toBe(25);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 25 });
    });

    test('forgo: cancelled with the reason; and await takes it back', async () => {
      const parent = await addOne(bench.store, { nextRunAt: FUTURE });
      for (const made of [child(parent._id), follower('batch')]) {
        const job = await addOne(bench.store, made);
        const expected = {
          ...job,
          status: 'cancelled',
          failReason: 'The parent failed',
          finishedAt: NOW,
          updatedAt: NOW,
        };
        expect(only(await change(job, FORGO))).toStrictEqual({ job: expected, previousStatus: job.status });
        expect(await stored(bench.store, job)).toStrictEqual(expected);
        expect(
          await bench.store.page({ filter: { forgone: true }, by: 'id', direction: 'asc', limit: 5 }),
        ).toHaveLength(1);
        expect(await dataOf({ ids: [job._id], forgone: false })).toEqual([]);
        expect(only(await change(job, AWAIT))).toStrictEqual({
          job: { ...job, updatedAt: NOW },
          previousStatus: 'cancelled',
        });
        expect(await stored(bench.store, job)).toStrictEqual({ ...job, updatedAt: NOW });
        expect(await dataOf({ forgone: true })).toEqual([]);
        expect(await dataOf({ ids: [job._id], forgone: false })).toEqual([job.data]);
      }
    });

    test('await is not for a job that was cancelled by hand, that has run, or that follows nothing', async () => {
      const parent = await addOne(bench.store, { nextRunAt: FUTURE });
      const byHand = await addOne(bench.store, child(parent._id));
      await change(byHand, { type: 'cancel', running: false });
      const { _id } = await addOne(bench.store, child(parent._id, { name: 'ran' }));
      await change({ _id }, PROCEED);
      const run = await claimOne(bench.store, { wants: [{ name: 'ran', limit: 1 }], now: NOW });
      const ran = (await settle(bench.store, run, { type: 'cancelled', reason: 'enough' })).job;
      const alone = await addClaimed(bench.store, { name: 'alone' });
      await settle(bench.store, alone, { type: 'cancelled', reason: 'enough' });
      expect(await bench.store.change([byHand._id, ran._id, alone._id], AWAIT, NOW)).toEqual([]);
      expect(await dataOf({ forgone: true })).toEqual([]);
    });

    test('cancel leaves members alone that a fill has not released', async () => {
      const [hidden, waiting] = await add(bench.store, unreleased('batch', 'fill'), follower('batch'));
      const cancel = { type: 'cancel', running: true } as const;
      expect(await bench.store.changeWhere({}, cancel, NOW, ALL)).toBe(1);
      expect(await bench.store.change([hidden?._id, waiting?._id], cancel, NOW)).toEqual([]);
      expect((await bench.store.counts()).byStatus).toEqual({ 'awaiting-batch': 1, cancelled: 1 });
    });

    test('changeWhere releases a fill in portions', async () => {
      await add(bench.store, ...Array.from({ length: 25 }, () => unreleased('batch', 'fill')));
      await add(bench.store, unreleased('batch', 'other'), follower('batch'));
      const filter = { memberOf: 'batch', fill: 'fill', statuses: ['awaiting-batch'] as const };
      const counts = [];
      for (let turn = 0; turn < 4; turn++)
        counts.push(await bench.store.changeWhere(filter, PROCEED, NOW, 10));
      expect(counts).toEqual([10, 10, 5, 0]);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 25, 'awaiting-batch': 2 });
      const released = await bench.store.page({
        filter: { memberOf: 'batch', statuses: ['pending'] },
        by: 'id',
        direction: 'asc',
        limit: ALL,
      });
      for (const job of released) expect(present(job, CLAIM_FIELDS)).toEqual([]);
    });

    test('removing a job removes what waits for it, to any depth', async () => {
      const [parent, bystander] = await add(bench.store, newJob(), newJob());
      let last = parent;
      for (let depth = 0; depth < 12; depth++) last = await addOne(bench.store, child(last?._id));
      await add(bench.store, child(parent?._id), child(bystander?._id));
      expect(await bench.store.remove([parent?._id])).toBe(14);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 1, 'awaiting-continuation': 1 });
    });

    test('removing a job leaves what followed it and does not wait any more, and what waits for that', async () => {
      const parent = await addOne(bench.store, { nextRunAt: FUTURE });
      const running = await addOne(bench.store, child(parent._id, { name: 'running' }));
      const grandchild = await addOne(bench.store, child(running._id));
      await change(running, PROCEED);
      const claimed = await claimOne(bench.store, { wants: [{ name: 'running', limit: 1 }], now: NOW });
      expect(await bench.store.removeWhere({ ids: [parent._id] }, ALL)).toBe(1);
      const { parentJobId: _, ...rest } = claimed;
      expect(await stored(bench.store, running)).toStrictEqual(rest);
      expect(await stored(bench.store, grandchild)).toStrictEqual(grandchild);
      expect((await settle(bench.store, claimed, { type: 'completed' })).applied).toBe(true);
    });

    test('removeWhere removes the members that a fill brought, and no others', async () => {
      await add(bench.store, unreleased('batch', 'fill'), unreleased('batch', 'other'), member('batch'));
      const filter = { memberOf: 'batch', fill: 'fill', statuses: ['awaiting-batch'] as const };
      expect(await bench.store.removeWhere(filter, ALL)).toBe(1);
      expect((await bench.store.counts()).byStatus).toEqual({ pending: 1, 'awaiting-batch': 1 });
    });
  });
}
