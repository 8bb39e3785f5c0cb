import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import { besideUpdates } from './between-steps.js';
import { FUTURE, openStore, PAST, toClaim, toInsert } from './open-store.js';

const { db } = testDatabase();

test('A job that takes the place of one that waits for its retry starts afresh', async () => {
  const store = await openStore(db);
  const first = toInsert({ uniqueKey: 'key', data: 'old', priority: 3 });
  await store.insert([first]);
  const { jobs } = await store.claim(await toClaim(store));
  const [job] = jobs;
  await store.saveProgress({ id: job!._id, token: job!.claimToken! }, { value: 50, at: PAST });
  const outcome = { type: 'retry', nextRunAt: FUTURE, failCount: 4, reason: 'broken' } as const;
  const at = await store.now();
  await store.settle({ at, items: [{ job: job!, token: job!.claimToken!, startedAt: PAST, outcome }] });

  const next = {
    ...toInsert({ uniqueKey: 'key', data: 'new', timeout: 5 }),
    onDuplicate: 'replace' as const,
  };
  const [replaced] = await store.insert([next]);
  expect(replaced).toEqual({
    outcome: 'replaced',
    job: {
      _id: job!._id,
      name: 'work',
      data: 'new',
      status: 'pending',
      nextRunAt: PAST,
      failCount: 0,
      uniqueKey: 'key',
      timeout: 5,
      createdAt: PAST,
      updatedAt: PAST,
      executedAt: PAST,
    },
  });
  expect(await store.get([job!._id])).toEqual([replaced?.job]);
});

test('What takes the place of a job while it is being claimed is what the claim answers', async () => {
  await db.collection('monque_jobs').deleteMany({});
  const store = await openStore(db);
  const old = [
    toInsert({ uniqueKey: 'a', data: 'old' }),
    toInsert({ uniqueKey: 'b', data: 'old' }),
    toInsert(),
  ];
  const [a, b] = await store.insert(old);
  besideUpdates('updateMany', {
    async before() {
      const job = { ...toInsert({ uniqueKey: 'a', data: 'new', timeout: 5 }).job };
      await store.insert([{ job, onDuplicate: 'replace' }]);
    },
    // Claimed and taken away again: not ours to run.
    after: () => store.change([b!.job._id], { type: 'cancel', running: true }, PAST),
  });
  const { jobs } = await store.claim(await toClaim(store));
  expect(jobs).toHaveLength(2);
  expect(jobs.find(({ uniqueKey }) => uniqueKey === 'a')).toMatchObject({
    _id: a!.job._id,
    data: 'new',
    timeout: 5,
    status: 'processing',
    claimedBy: 'owner',
  });
});
