import { beforeAll, describe, expect, test } from 'vitest';
import { PAST, toInsert } from '../stores/open-stores.js';
import { type Read, recordedDatabases } from './recorded-databases.js';

const COLUMNS =
  '("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount", "KeyHash")';

/** What a row of waiting and of failed jobs is made of, half of them with a key, from a source of numbers. */
const rows = (state: number, numbers: string) =>
  `INSERT INTO "Jobs" ${COLUMNS} SELECT CONCAT('${state}-', n), 'work', '{}', ${state}, '2026-01-05 10:00:00',
   '2026-01-05 10:00:00', 0, 9, CASE WHEN n % 2 = 0 THEN CONCAT('${state}-', n) END FROM ${numbers}`;

/** The index of the unique keys, or that of the ids. */
const BY_KEY_OR_ID = /^(IX_Monque_Jobs_ActiveKey|PK_Jobs|PRIMARY|sqlite_autoindex_Jobs_1|rowid)$/;

for (const { name, available, store, analyze, numbers, run, reads } of recordedDatabases()) {
  describe.skipIf(!available)(`With many waiting and many failed jobs, ${name}`, () => {
    beforeAll(async () => {
      await store.open({ collectionName: '', skipIndexCreation: false, retention: false });
      for (const state of [1, 6]) await run(rows(state, numbers));
      return () => store.close();
    });

    describe.each(['without', 'with'])('%s statistics', (statistics) => {
      const [free, taken, held] = ['free', 'taken', 'held'].map((key) => `${key} ${statistics}`);
      const keyed = (keys: readonly (string | undefined)[]) =>
        keys.map((uniqueKey) => toInsert({ uniqueKey: String(uniqueKey) }));
      const ended: string[] = [];

      beforeAll(async () => {
        for (const { job } of await store.insert(keyed([free, taken]))) ended.push(job._id);
        await run(`UPDATE "Jobs" SET "State" = 6 WHERE "Id" IN ('${ended.join("', '")}')`);
        await store.insert(keyed([taken, held]));
        if (statistics === 'with') await run(analyze);
        await reads();
      });

      /** That nothing but single keys was read. */
      const expectLookups = (found: readonly Read[]) => {
        expect(found.map(({ index }) => index)).toContain('IX_Monque_Jobs_ActiveKey');
        for (const { index = 'none' } of found) expect(index).toMatch(BY_KEY_OR_ID);
      };

      test.each(['keep', 'replace'] as const)(
        'finds who holds a key by its index: %s',
        async (onDuplicate) => {
          const inserts = keyed([taken, held]).map((insert) => ({ ...insert, onDuplicate }));
          const answers = await store.insert(inserts);
          const outcome = onDuplicate === 'keep' ? 'existing' : 'replaced';
          expect(answers.map((answer) => answer.outcome)).toEqual([outcome, outcome]);
          expectLookups(await reads());
        },
      );

      // To a planner that knows nothing of it, the table is too small for an index to be worth as many looks.
      const isBlind = name === 'PostgreSQL' && statistics === 'without';
      test.skipIf(isBlind)('finds who holds each of many keys by the same index', async () => {
        const keys = Array.from({ length: 20 }, (_, n) => `${held} ${n}`);
        await store.insert(keyed(keys));
        await reads();
        const answers = await store.insert(keyed(keys));
        expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['existing']));
        expectLookups(await reads());
      });

      test('tells by the same index which keys of jobs to retry are free', async () => {
        const changed = await store.change(ended, { type: 'retry' }, PAST);
        expect(changed.map(({ job }) => job._id)).toEqual([ended[0]]);
        expectLookups(await reads());
      });

      test('looks up the key of each job that it retries in bulk', async () => {
        await store.changeWhere({ statuses: ['failed'] }, { type: 'retry' }, PAST, 1);
        const holders = (await reads()).filter(({ table }) => table === 'Holder');
        expect(holders).not.toEqual([]);
        for (const { index } of holders) expect(index).toBe('IX_Monque_Jobs_ActiveKey');
      });
    });
  });
}
