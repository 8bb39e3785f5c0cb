import { testDatabase } from '@monque/test-servers/vitest';
import { expect, test } from 'vitest';
import { mongoStore } from '../../src/mongodb/mongo-store.js';
import { openStore, toClaim, toInsert } from './open-store.js';

const { db, available } = testDatabase();

test.skipIf(!available)('an outcome that is too large for its document is refused for good', async () => {
  const store = await openStore(db);
  const text = 'x'.repeat(9 * 1024 * 1024);
  await store.insert([toInsert({ data: text })]);
  const [job] = (await store.claim(await toClaim(store))).jobs;
  const at = await store.now();
  const item = {
    job: job!,
    token: job!.claimToken!,
    startedAt: at,
    outcome: { type: 'completed', result: text },
  } as const;
  const error = await store.settle({ at, items: [item] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(store.isRefusal(error)).toBe(true);
});

test('an outage, or a write that may pass later, is no refusal', () => {
  const store = mongoStore(db);
  const notPrimary = Object.assign(new Error('not primary'), { name: 'MongoServerError', code: 10107 });
  for (const error of [notPrimary, new Error('connection closed'), undefined, 'text']) {
    expect(store.isRefusal(error)).toBe(false);
  }
});
