import { randomUUID } from 'node:crypto';
import type { JobStore } from '@monque/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { testedDatabases } from './databases.js';
import { closeStores, FUTURE, opening, PAST, toClaim } from './open-stores.js';

closeStores();

const QUALIFIED = 'MyApp.Jobs.SendEmail, MyApp, Version=1.0.0.0, Culture=neutral';
const LATER = 'MyApp.Jobs.SendEmail, MyApp, Version=2.0.0.0, Culture=neutral';
const TYPE_NAMES = { 'MyApp.Jobs.SendEmail': 'send-email' };

for (const database of testedDatabases()) {
  describe.skipIf(!database.available)(`Rows of other programs on ${database.name}`, () => {
    /** A row with JobSharp's columns and no others. */
    const insert = async (
      typeName: string,
      parts: { state?: number; due?: Date | null; text?: string; retries?: number } = {},
    ) => {
      const id = randomUUID();
      const { state = 1, due = PAST, text, retries = 0 } = parts;
      const scheduledAt = text ?? (due === null ? null : database.time(due));
      await database.run(
        `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "ScheduledAt", "RetryCount", "MaxRetryCount")
         VALUES (?, ?, ?, ?, ?, ?, ?, 3)`,
        id,
        typeName,
        JSON.stringify({ to: 'Ada' }),
        state,
        database.time(PAST),
        scheduledAt,
        retries,
      );
      return id;
    };
    const claimIds = async (store: JobStore<string>, name: string) => {
      const { jobs } = await store.claim(await toClaim(store, { wants: [{ name, limit: 100 }] }));
      return jobs.map(({ _id }) => _id);
    };

    beforeEach(async () => {
      await opening(database.store());
      await database.run('DELETE FROM "Jobs"');
    });

    test('are claimed in the states Scheduled and Failed, and read as jobs', async () => {
      const store = await opening(database.store());
      const ids = [await insert('work'), await insert('work', { state: 4, retries: 2 })];
      for (const state of [0, 2, 3, 5, 6, 7, 8]) await insert('work', { state });
      const { jobs } = await store.claim(await toClaim(store));
      expect(jobs.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
      expect(jobs.find(({ failCount }) => failCount === 2)).toMatchObject({
        name: 'work',
        data: { to: 'Ada' },
        status: 'processing',
        maxRetries: 4,
        createdAt: PAST,
        nextRunAt: PAST,
      });
    });

    test('are due at once without a due time, in whichever state they wait', async () => {
      const store = await opening(database.store());
      const ids = [await insert('work', { due: null }), await insert('work', { due: null, state: 4 })];
      await insert('work', { due: FUTURE });
      expect((await claimIds(store, 'work')).sort()).toEqual([...ids].sort());
      for (const job of await store.get(ids)) expect(job.nextRunAt).toBeInstanceOf(Date);
    });

    test('are found without a due time beside jobs that have one', async () => {
      const store = await opening(database.store());
      const bare = await insert('work', { due: null });
      const timed = await insert('work');
      const seen: string[] = [];
      for (let more = true; more; ) {
        const result = await store.claim(await toClaim(store));
        seen.push(...result.jobs.map(({ _id }) => _id));
        more = result.more;
      }
      expect(seen.sort()).toEqual([bare, timed].sort());
    });

    test('are claimed under the names that their type names stand for, whatever their versions', async () => {
      const store = await opening(database.store({ typeNames: TYPE_NAMES }));
      const ids = [await insert(QUALIFIED), await insert(LATER), await insert('send-email')];
      const untouched = await insert('MyApp.Jobs.Other, MyApp');
      expect((await claimIds(store, 'send-email')).sort()).toEqual([...ids].sort());
      expect((await store.get([untouched]))[0]).toMatchObject({
        name: 'MyApp.Jobs.Other, MyApp',
        status: 'pending',
      });
    });

    test('a name under several type names keeps to its limit', async () => {
      const store = await opening(database.store({ typeNames: TYPE_NAMES }));
      for (const text of [QUALIFIED, LATER, 'send-email']) {
        for (let n = 0; n < 4; n++) await insert(text);
      }
      const wants = [{ name: 'send-email', limit: 5 }];
      expect((await store.claim(await toClaim(store, { wants }))).jobs).toHaveLength(5);
    });

    test('are counted, listed and removed by the mapped name', async () => {
      const store = await opening(database.store({ typeNames: TYPE_NAMES }));
      await insert(QUALIFIED);
      await insert(LATER);
      await insert('MyApp.Jobs.Other, MyApp');
      expect(await store.counts('send-email')).toEqual({ byStatus: { pending: 2 } });
      expect([...(await store.countsByName()).keys()].sort()).toEqual([
        'MyApp.Jobs.Other, MyApp',
        'send-email',
      ]);
      const filter = { name: 'send-email' };
      const page = await store.page({ filter, by: 'id', direction: 'asc', limit: 10 });
      expect(page.map(({ name }) => name)).toEqual(['send-email', 'send-email']);
      expect(await store.removeWhere(filter, 10)).toBe(2);
      expect((await store.counts()).byStatus).toEqual({ pending: 1 });
    });

    test('a new job of a mapped name is stored under the type name', async () => {
      const store = await opening(database.store({ typeNames: { [QUALIFIED]: 'send-email' } }));
      const [inserted] = await store.insert([
        {
          job: { name: 'send-email', data: {}, status: 'pending', nextRunAt: PAST, createdAt: PAST },
          onDuplicate: 'keep',
        },
      ]);
      const [row] = await database.run(
        'SELECT "TypeName" AS "name" FROM "Jobs" WHERE "Id" = ?',
        String(inserted?.job._id),
      );
      expect(row).toEqual({ name: QUALIFIED });
      expect(await claimIds(store, 'send-email')).toEqual([inserted?.job._id]);
    });

    test('arguments that are no JSON are passed on as text, and hold nobody up', async () => {
      const store = await opening(database.store());
      const id = await insert('work');
      await database.run(`UPDATE "Jobs" SET "Arguments" = 'not json' WHERE "Id" = ?`, id);
      await insert('work');
      const { jobs } = await store.claim(await toClaim(store));
      expect(jobs.map(({ data }) => data)).toEqual(expect.arrayContaining(['not json', { to: 'Ada' }]));
    });

    // Elsewhere the database knows what a time is.
    if (database.name !== 'SQLite') return;

    test.each([
      ['another offset', '2026-01-05 11:00:00.0000000+01:00', '2026-01-05T10:00:00.000Z'],
      ['a fraction of EF Core', '2026-01-05 10:00:00.1234567+00:00', '2026-01-05T10:00:00.123Z'],
      ['no fraction and no offset', '2026-01-05 10:00:00', '2026-01-05T10:00:00.000Z'],
      ['ISO', '2026-01-05T10:00:00.5Z', '2026-01-05T10:00:00.500Z'],
    ])('a due time in another form means the same: %s', async (_, text, expected) => {
      const store = await opening(database.store());
      const id = await insert('work', { text });
      const due = new Date(expected);
      const early = await toClaim(store, { now: new Date(due.getTime() - 1) });
      expect((await store.claim(early)).jobs).toEqual([]);
      const { jobs } = await store.claim(await toClaim(store, { now: due }));
      expect(jobs).toMatchObject([{ _id: id, nextRunAt: due }]);
    });
  });
}
