import { randomUUID } from 'node:crypto';
import type { JobStore } from '@monque/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { testedDatabases } from './databases.js';
import { closeStores, FUTURE, opening, PAST, toClaim } from './open-stores.js';

closeStores();
const TYPE_NAMES = { 'MyApp.Send': 'send' };

for (const database of testedDatabases()) {
  describe.skipIf(!database.available)(
    `A type name that comes up between two looks on ${database.name}`,
    () => {
      let store: JobStore<string>;

      const insert = async (typeName: string, due = PAST) => {
        const id = randomUUID();
        await database.run(
          `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount")
         VALUES (?, ?, '{}', 1, ?, ?, 0, 3)`,
          id,
          typeName,
          database.time(PAST),
          database.time(due),
        );
        return id;
      };
      /** As whoever was woken does: until nothing more is said to be due. */
      const claimAll = async () => {
        const ids: string[] = [];
        for (let more = true; more; ) {
          const result = await store.claim(await toClaim(store, { wants: [{ name: 'send', limit: 100 }] }));
          ids.push(...result.jobs.map(({ _id }) => _id));
          more = result.more;
        }
        return ids.sort();
      };

      beforeEach(async () => {
        store = await opening(database.store({ typeNames: TYPE_NAMES }));
        await database.run('DELETE FROM "Jobs"');
      });

      test('is claimed at once', async () => {
        expect(await claimAll()).toEqual([]);
        const first = await insert('MyApp.Send, MyApp, Version=1.0.0.0');
        expect(await claimAll()).toEqual([first]);
        // Beside jobs that are found without it.
        const both = [
          await insert('MyApp.Send, MyApp, Version=1.0.0.0'),
          await insert('MyApp.Send, MyApp, Version=2.0.0.0'),
        ];
        expect(await claimAll()).toEqual(both.sort());
      });

      test('is waited for', async () => {
        expect(await store.nextDueAt(['send'], PAST)).toBeUndefined();
        await insert('MyApp.Send, MyApp, Version=1.0.0.0', FUTURE);
        expect(await store.nextDueAt(['send'], PAST)).toEqual(FUTURE);
      });
    },
  );
}
