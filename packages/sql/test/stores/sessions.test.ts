import { join } from 'node:path';
import { InvalidOptionError, type JobStore } from '@monque/core';
import { mariadb, postgres, sqlite } from '@monque/sql';
import { mariadbDatabase, postgresDatabase } from '@monque/test-servers/vitest';
import Database from 'better-sqlite3';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect, type Transaction } from 'kysely';
import { createPool } from 'mysql2';
import type { PoolConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeStores, opening, temporaryFolder, toClaim, toInsert } from './open-stores.js';

closeStores();

const file = join(temporaryFolder(), 'jobs.db');
const pg = postgresDatabase();
const maria = mariadbDatabase();

interface Orders {
  orders: { id: string };
}

/** A database with a table of the user's own beside ours. */
interface UserDatabase {
  readonly name: string;
  readonly available: boolean;
  store(): JobStore<string>;
  /** The user's own way to the database. */
  kysely(): Kysely<Orders>;
  /** What is no transaction, and what to do instead. */
  readonly wrong: readonly (readonly [what: string, session: () => unknown])[];
}

const callbackPool = createPool({ uri: maria.url, connectionLimit: 3 });
afterAll(() => callbackPool.promise().end());

const databases: UserDatabase[] = [
  {
    name: 'SQLite',
    available: true,
    store: () => sqlite({ file }),
    kysely: () => new Kysely({ dialect: new SqliteDialect({ database: new Database(file) }) }),
    wrong: [
      ['a database in no transaction', () => new Database(file)],
      ['a client of another driver', () => pg.pool],
      ['a text', () => 'session'],
    ],
  },
  {
    name: 'PostgreSQL',
    available: pg.available,
    store: () => postgres(pg.pool),
    // Its own pool: ending it must not end the file's.
    kysely: () => new Kysely({ dialect: new PostgresDialect({ pool: async () => pg.pool }) }),
    wrong: [
      ['a pool', () => pg.pool],
      ['an object', () => ({})],
    ],
  },
  {
    name: 'MariaDB',
    available: maria.available,
    store: () => mariadb(callbackPool),
    kysely: () => new Kysely({ dialect: new MysqlDialect({ pool: callbackPool }) }),
    wrong: [
      ['a pool', () => callbackPool],
      ['a number', () => 5],
    ],
  },
];

for (const database of databases) {
  describe.skipIf(!database.available)(`A transaction of the user's own on ${database.name}`, () => {
    let kysely: Kysely<Orders>;
    beforeAll(async () => {
      kysely = database.kysely();
      await kysely.schema.createTable('orders').addColumn('id', 'varchar(36)').execute();
    });

    const state = async (store: JobStore<string>) => ({
      jobs: (await store.counts()).byStatus.pending ?? 0,
      orders: (await kysely.selectFrom('orders').selectAll().execute()).length,
    });
    const order = async (transaction: Transaction<Orders>, store: JobStore<string>, uniqueKey: string) => {
      await transaction.insertInto('orders').values({ id: uniqueKey }).execute();
      return store.insert([toInsert(), toInsert({ uniqueKey })], { session: transaction });
    };

    test("of Kysely: the job and the user's row are committed together, or neither", async () => {
      const store = await opening(database.store());
      const before = await state(store);
      const [plain, keyed] = await kysely.transaction().execute((one) => order(one, store, 'a'));
      expect([plain?.outcome, keyed?.outcome]).toEqual(['inserted', 'inserted']);
      expect(await state(store)).toEqual({ jobs: before.jobs + 2, orders: before.orders + 1 });
      const failed = kysely.transaction().execute(async (one) => {
        const answers = await order(one, store, 'b');
        expect(answers).toHaveLength(2);
        throw new Error('The payment failed');
      });
      await expect(failed).rejects.toThrow('The payment failed');
      expect(await state(store)).toEqual({ jobs: before.jobs + 2, orders: before.orders + 1 });
    });

    test('finds the existing job behind a unique key, and replaces it', async () => {
      const store = await opening(database.store());
      const [first] = await store.insert([toInsert({ uniqueKey: 'same', data: 'old' })]);
      const [kept] = await kysely
        .transaction()
        .execute((session) => store.insert([toInsert({ uniqueKey: 'same' })], { session }));
      expect(kept).toStrictEqual({ job: first?.job, outcome: 'existing' });
      const [replaced] = await kysely.transaction().execute((session) =>
        store.insert([{ ...toInsert({ uniqueKey: 'same', data: 'new' }), onDuplicate: 'replace' }], {
          session,
        }),
      );
      expect(replaced).toMatchObject({ outcome: 'replaced', job: { _id: first?.job._id, data: 'new' } });
    });

    test.each(database.wrong)('anything else is refused: %s', async (_, session) => {
      const store = await opening(database.store());
      const before = await store.counts();
      const failure = store.insert([toInsert()], { session: session() });
      await expect(failure).rejects.toThrow(InvalidOptionError);
      await expect(failure).rejects.toMatchObject({ option: 'session' });
      expect(await store.counts()).toEqual(before);
    });

    test('a Kysely that is no transaction, or of another database, is refused', async () => {
      const store = await opening(database.store());
      await expect(store.insert([toInsert()], { session: kysely })).rejects.toMatchObject({
        option: 'session',
        message: expect.stringContaining('no transaction'),
      });
      const other = databases.find(({ name, available }) => available && name !== database.name);
      if (other === undefined) return;
      const failure = other
        .kysely()
        .transaction()
        .execute((session) => store.insert([toInsert()], { session }));
      await expect(failure).rejects.toMatchObject({
        option: 'session',
        message: expect.stringContaining('another database'),
      });
    });
  });
}

test.skipIf(!pg.available)('a client of pg that has not begun a transaction is refused', async () => {
  const store = await opening(postgres(pg.pool));
  const client = await pg.pool.connect();
  try {
    await expect(store.insert([toInsert()], { session: client })).rejects.toMatchObject({
      option: 'session',
    });
  } finally {
    client.release();
  }
});

test.skipIf(!maria.available)(
  'a connection of mysql2 with callbacks is as good as one with promises',
  async () => {
    const store = await opening(mariadb(callbackPool));
    const before = await store.counts();
    const connection = await callbackPool.promise().getConnection();
    await connection.beginTransaction();
    await store.insert([toInsert()], { session: connection.connection });
    await connection.rollback();
    connection.release();
    expect(await store.counts()).toEqual(before);
  },
);

test.skipIf(!maria.available).each([
  ['promises', (connection: PoolConnection) => connection],
  ['callbacks', (connection: PoolConnection) => connection.connection],
])('a connection of mysql2 that has not begun a transaction is refused, with %s', async (_, form) => {
  const store = await opening(mariadb(callbackPool));
  const before = await store.counts();
  const connection = await callbackPool.promise().getConnection();
  try {
    for (const begun of [false, true]) {
      // One that has ended counts as little as one that never was.
      if (begun) {
        await connection.beginTransaction();
        await connection.commit();
      }
      const failure = store.insert([toInsert(), toInsert({ uniqueKey: 'key' })], {
        session: form(connection),
      });
      await expect(failure).rejects.toThrow(InvalidOptionError);
      await expect(failure).rejects.toMatchObject({
        option: 'session',
        message: expect.stringContaining('no transaction'),
      });
    }
    expect(await store.counts()).toEqual(before);
  } finally {
    connection.release();
  }
});

test.skipIf(!maria.available)('a connection of mysql2 that never commits by itself has begun', async () => {
  const store = await opening(mariadb(callbackPool));
  const before = await store.counts();
  const connection = await callbackPool.promise().getConnection();
  await connection.query('SET autocommit = 0');
  await store.insert([toInsert()], { session: connection });
  await connection.rollback();
  connection.destroy();
  expect(await store.counts()).toEqual(before);
});

test.skipIf(!maria.available)('a key that is taken locks no other job until the user commits', async () => {
  const store = await opening(mariadb(callbackPool));
  await store.insert([...Array(20)].map((_, n) => toInsert({ name: 'locks', uniqueKey: `${n}` })));
  const connection = await callbackPool.promise().getConnection();
  await connection.beginTransaction();
  const [answer] = await store.insert([toInsert({ name: 'locks', uniqueKey: '7' })], {
    session: connection,
  });
  expect(answer?.outcome).toBe('existing');
  const { jobs } = await store.claim(await toClaim(store, { wants: [{ name: 'locks', limit: 100 }] }));
  await connection.rollback();
  connection.release();
  expect(jobs).toHaveLength(19);
});
