import { mariadb, postgres, type SqlStoreOptions } from '@monque/sql';
import { mariadbDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeStores, opening, toClaim, toInsert } from './open-stores.js';

closeStores();
const pg = postgresDatabase();
const maria = mariadbDatabase();

/** Locks all jobs in a transaction of somebody else's, and answers how to end it. */
type Lock = () => Promise<() => Promise<void>>;

const databases = [
  {
    name: 'PostgreSQL',
    available: pg.available,
    store: (options?: SqlStoreOptions) => postgres(pg.pool, options),
    clear: () => pg.pool.query('DELETE FROM "Jobs"'),
    lock: (async () => {
      const client = await pg.pool.connect();
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM "Jobs" FOR UPDATE');
      return async () => {
        await client.query('ROLLBACK');
        client.release();
      };
    }) satisfies Lock,
  },
  {
    name: 'MariaDB',
    available: maria.available,
    store: (options?: SqlStoreOptions) => mariadb(maria.pool, options),
    clear: () => maria.pool.query('DELETE FROM `Jobs`'),
    lock: (async () => {
      const connection = await maria.pool.getConnection();
      await connection.beginTransaction();
      await connection.query('SELECT 1 FROM `Jobs` FOR UPDATE');
      return async () => {
        await connection.rollback();
        connection.release();
      };
    }) satisfies Lock,
  },
] as const;

for (const database of databases) {
  describe.skipIf(!database.available)(`Jobs that others have locked on ${database.name}`, () => {
    beforeEach(async () => {
      await opening(database.store());
      await database.clear();
    });

    test('keep no claim waiting, which says that more may be due', async () => {
      const store = await opening(database.store());
      await store.insert([toInsert()]);
      const unlock = await database.lock();
      expect(await store.claim(await toClaim(store))).toEqual({ jobs: [], more: true });
      await unlock();
      expect((await store.claim(await toClaim(store))).jobs).toHaveLength(1);
      expect(await store.claim(await toClaim(store))).toEqual({ jobs: [], more: false });
    });

    test.each([
      { which: 'with a priority', job: { priority: 5 }, typeNames: {} },
      { which: 'of a name that stands for several texts', job: {}, typeNames: { 'Shop.Work': 'work' } },
    ])('keep no claim waiting either $which', async ({ job, typeNames }) => {
      const store = await opening(database.store({ typeNames }));
      await store.insert([toInsert(job)]);
      const unlock = await database.lock();
      expect(await store.claim(await toClaim(store))).toEqual({ jobs: [], more: true });
      await unlock();
      expect((await store.claim(await toClaim(store))).jobs).toHaveLength(1);
    });

    test('are answered to whoever asks for their unique key, and that locks nothing', async () => {
      const store = await opening(database.store());
      const [first] = await store.insert([toInsert({ uniqueKey: 'key' })]);
      const unlock = await database.lock();
      const [second] = await store.insert([toInsert({ uniqueKey: 'key' })]);
      expect(second).toStrictEqual({ job: first?.job, outcome: 'existing' });
      await unlock();
    });
  });
}
