import type { BatchRecord } from '@monque/core';
import { expect, test } from 'vitest';
import { suite } from '../bench.js';
import type { ConformanceSubject } from '../subject.js';
import { add, after, jobs, newJob, PAST } from './make-jobs.js';

const newBatch = (id: string, parts: Partial<BatchRecord> = {}): BatchRecord => ({
  id,
  createdAt: PAST,
  updatedAt: PAST,
  version: 1,
  fills: [],
  ...parts,
});

export function batchStoreTests(subject: ConformanceSubject): void {
  suite(subject, 'batches', (bench) => {
    const batches = () => bench.store.batches;
    const read = async (id: string) => (await batches().get([id]))[0];

    test('a record comes back as it was stored', async () => {
      const full = newBatch('full', {
        name: 'Nightly "import" – Zürich',
        startedAt: after(1),
        finishedAt: after(2),
        outcome: 'cancelled',
        version: 7,
        fills: [
          { token: 'a', at: after(3), state: 'open', isFirst: true },
          { token: 'b', at: after(4), state: 'committed' },
        ],
      });
      expect(await batches().create(full)).toBe(true);
      expect(await read('full')).toStrictEqual(full);
      expect(await batches().create(newBatch('bare'))).toBe(true);
      expect(await read('bare')).toStrictEqual(newBatch('bare'));
      expect(await batches().get(['full', 'none', 'bare'])).toHaveLength(2);
      expect(await batches().get([])).toEqual([]);
    });

    test('ids are told apart by every character', async () => {
      const similar = ['import', 'Import', 'import ', 'impört'];
      for (const id of similar) expect(await batches().create(newBatch(id))).toBe(true);
      await add(bench.store, ...similar.map((batchId) => newJob({ batchId })));
      for (const id of similar) {
        expect((await batches().get([id])).map((found) => found.id)).toEqual([id]);
        expect((await batches().counts([id])).get(id)).toEqual({ pending: 1 });
        const filter = { memberOf: id };
        expect(await bench.store.page({ filter, by: 'id', direction: 'asc', limit: 9 })).toHaveLength(1);
      }
    });

    test('an id is taken once, under any concurrency', async () => {
      const stores = await Promise.all(Array.from({ length: 6 }, () => bench.connect()));
      const answers = await Promise.all(
        stores.map((store, index) => store.batches.create(newBatch('same', { name: `number ${index}` }))),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect((await read('same'))?.name).toBe(`number ${answers.indexOf(true)}`);
    });

    test('replace takes the next version only, and one of many', async () => {
      await batches().create(newBatch('x', { name: 'before' }));
      expect(await batches().replace(newBatch('x', { version: 3 }))).toBe(false);
      expect(await batches().replace(newBatch('x', { version: 1 }))).toBe(false);
      expect(await batches().replace(newBatch('none', { version: 1 }))).toBe(false);
      const stores = await Promise.all(Array.from({ length: 6 }, () => bench.connect()));
      const answers = await Promise.all(
        stores.map((store, index) =>
          store.batches.replace(newBatch('x', { version: 2, finishedAt: after(index), outcome: 'failed' })),
        ),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await read('x')).toStrictEqual(
        newBatch('x', { version: 2, finishedAt: after(answers.indexOf(true)), outcome: 'failed' }),
      );
      expect(await batches().replace(newBatch('x', { version: 3 }))).toBe(true);
      expect(await read('x')).toStrictEqual(newBatch('x', { version: 3 }));
    });

    test('remove takes the very version', async () => {
      await batches().create(newBatch('x', { version: 4 }));
      expect(await batches().remove({ id: 'x', version: 3 })).toBe(false);
      expect(await batches().remove({ id: 'x', version: 4 })).toBe(true);
      expect(await batches().remove({ id: 'x', version: 4 })).toBe(false);
      expect(await read('x')).toBeUndefined();
    });

    test('pages go by age, then by id, in either direction, and by whether they are complete', async () => {
      const made = ['d', 'b', 'a', 'c', 'e'].map((id, index) =>
        newBatch(id, {
          createdAt: after(Math.floor(index / 2)),
          ...(index % 2 ? { finishedAt: after(9), outcome: 'completed' as const } : {}),
        }),
      );
      for (const record of made) await batches().create(record);
      const idsOf = async (parts: object) => {
        const found = await batches().page({ direction: 'asc', limit: 100, ...parts });
        return found.map(({ id }) => id).join('');
      };
      expect(await idsOf({})).toBe('bdace');
      expect(await idsOf({ direction: 'desc' })).toBe('ecadb');
      expect(await idsOf({ skip: 1, limit: 2 })).toBe('da');
      expect(await idsOf({ finished: true })).toBe('bc');
      expect(await idsOf({ finished: false })).toBe('dae');
      expect(await idsOf({ after: { createdAt: after(0), id: 'd' } })).toBe('ace');
      expect(await idsOf({ after: { createdAt: after(1), id: 'a' }, direction: 'desc' })).toBe('db');
      expect(await idsOf({ finished: false, after: { createdAt: after(0), id: 'd' } })).toBe('ae');
    });

    test.each(['pending', 'processing', 'created', 'awaiting-batch', 'completed', 'failed', 'cancelled'])(
      'a member that is %s keeps a batch open, or does not',
      async (status) => {
        const isOpen = !['completed', 'failed', 'cancelled'].includes(status);
        const job = { ...newJob({ batchId: 'x' }), failCount: 0, updatedAt: PAST };
        await bench.database.write({ ...job, status: 'completed' });
        await bench.database.write({ ...job, awaitsBatchId: 'x', status: 'awaiting-batch' });
        await bench.database.write({ ...job, batchId: 'y' });
        expect(await batches().hasOpenMember('x')).toBe(false);
        await bench.database.write({ ...job, status });
        expect(await batches().hasOpenMember('x')).toBe(isOpen);
        expect(await batches().hasOpenMember('z')).toBe(false);
      },
    );

    test('counts members by status, and nothing that follows', async () => {
      await add(
        bench.store,
        ...jobs(3, { batchId: 'x' }),
        newJob({ batchId: 'x', status: 'awaiting-batch', claimToken: 'fill' }),
        newJob({ batchId: 'x', awaitsBatchId: 'x', status: 'awaiting-batch' }),
        newJob({ batchId: 'x', awaitsBatchId: 'x' }),
        newJob({ batchId: 'y' }),
        newJob(),
      );
      await bench.database.write({
        ...newJob({ batchId: 'x' }),
        status: 'failed',
        failCount: 1,
        failReason: 'broken',
        updatedAt: PAST,
      });
      const counts = await batches().counts(['x', 'y', 'z']);
      expect(counts.get('x')).toEqual({ pending: 3, 'awaiting-batch': 1, failed: 1 });
      expect(counts.get('y')).toEqual({ pending: 1 });
      expect(counts.get('z') ?? {}).toEqual({});
      expect((await batches().counts([])).size).toBe(0);
    });
  });
}
