import type { JobStore, Outcome } from '@monque/core';
import { describe, expect, test } from 'vitest';
import { testedDatabases } from './databases.js';
import { closeStores, opening, PAST, toClaim, toInsert } from './open-stores.js';

closeStores();

for (const database of testedDatabases()) {
  describe.skipIf(!database.available)(`What ${database.name} is given`, () => {
    const settle = async (store: JobStore<string>, outcome: Outcome) => {
      await store.insert([toInsert()]);
      const [job] = (await store.claim(await toClaim(store))).jobs;
      if (job === undefined) throw new Error('A job is due');
      const at = await store.now();
      const item = { job, token: String(job.claimToken), startedAt: at, outcome };
      return (await store.settle({ at, items: [item] }))[0]?.job._id ?? '';
    };

    test('characters that no text may hold keep no outcome and no log from being stored', async () => {
      const store = await opening(database.store());
      const id = await settle(store, { type: 'failed', failCount: 1, reason: 'a\0b' });
      expect((await store.get([id]))[0]?.failReason).toMatch(/^a.b$/s);
      const line = { at: new Date(), attempt: 1, level: 'error', text: 'c\0d', stack: 'e\0f' } as const;
      await store.appendLogs([{ jobId: id, ...line }]);
      expect((await store.logs(id))[0]?.text).toMatch(/^c.d$/s);
    });

    test('a value that it will never take is told from an outage', async () => {
      const store = await opening(database.store());
      const refused = await database
        .run(
          `INSERT INTO "Jobs" ("Id", "TypeName", "State", "CreatedAt", "RetryCount", "MaxRetryCount")
           VALUES ('no-state', 'work', NULL, ?, 0, 0)`,
          database.time(PAST),
        )
        .catch((error: unknown) => error);
      expect(store.isRefusal(refused)).toBe(true);
      const outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', errno: -111 });
      for (const error of [outage, new Error('Connection terminated'), undefined, 'text', null]) {
        expect(store.isRefusal(error)).toBe(false);
      }
    });
  });
}
