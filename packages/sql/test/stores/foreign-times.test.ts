import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { testedDatabases } from './databases.js';
import { closeStores, FUTURE, opening, PAST, toClaim } from './open-stores.js';

closeStores();

for (const database of testedDatabases()) {
  describe.skipIf(!database.available)(`Due times of other programs on ${database.name}`, () => {
    const insert = async (scheduledAt: string | null, createdAt = database.time(PAST)) => {
      const id = randomUUID();
      await database.run(
        `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount")
         VALUES (?, 'work', '{}', 1, ?, ?, 0, 3)`,
        id,
        createdAt,
        scheduledAt,
      );
      return id;
    };

    beforeEach(async () => {
      await opening(database.store());
      await database.run('DELETE FROM "Jobs"');
    });

    test('are at once where there is none, also by a clock that is ahead', async () => {
      const store = await opening(database.store());
      const id = await insert(null, database.time(FUTURE));
      // A moment later than the claim that puts it in order.
      const soon = new Date((await store.now()).getTime() + 60_000);
      const { jobs } = await store.claim(await toClaim(store, { now: soon }));
      expect(jobs).toMatchObject([{ _id: id }]);
    });

    // Elsewhere the database knows what a time is.
    if (database.name !== 'SQLite') return;

    test.each([
      ['2999-12-24 18:00:00+00', '2999-12-24T18:00:00.000Z'],
      ['2999-12-24 18:00:00.25-05', '2999-12-24T23:00:00.250Z'],
      ['2999-12-24T18:00:00+0200', '2999-12-24T16:00:00.000Z'],
      ['2999-12-24 18:00:00.1234567-0330', '2999-12-24T21:30:00.123Z'],
      ['2999-12-24 18:00 +01', '2999-12-24T17:00:00.000Z'],
      ['2999-12-24 18:00:00z', '2999-12-24T18:00:00.000Z'],
    ])('are kept in whichever form they have their offset: %s', async (text, expected) => {
      const store = await opening(database.store());
      const id = await insert(text);
      expect((await store.claim(await toClaim(store))).jobs).toEqual([]);
      expect(await store.nextDueAt(['work'], PAST)).toEqual(new Date(expected));
      expect(await store.get([id])).toMatchObject([{ nextRunAt: new Date(expected) }]);
    });

    test('are the time of creation where they are no time, in whichever form that is', async () => {
      const store = await opening(database.store());
      const id = await insert('tomorrow', '2026-01-05 12:00:00+02');
      expect((await store.claim(await toClaim(store))).jobs).toMatchObject([{ _id: id, nextRunAt: PAST }]);
    });
  });
}
