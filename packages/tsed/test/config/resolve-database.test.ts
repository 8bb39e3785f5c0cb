import { MonqueError, memory } from '@monque/core';
import { testDatabase } from '@monque/test-servers/vitest';
import { type MonqueTsedConfig, resolveDatabase, validateDatabaseConfig } from '@monque/tsed';
import mongoose from 'mongoose';
import { describe, expect, onTestFinished, test } from 'vitest';

const database = testDatabase();
const store = memory();

/** A connection that is still being opened. */
function connecting() {
  const connection = mongoose.createConnection(database.uri, { dbName: database.name });
  onTestFinished(() => connection.close());
  return connection;
}

describe('exactly one strategy', () => {
  test.each<MonqueTsedConfig>([
    { db: store },
    { dbFactory: () => store },
    { dbToken: 'DB' },
    { db: store, workerConcurrency: 1 },
  ])('is accepted: %o', (config) => {
    expect(() => validateDatabaseConfig(config)).not.toThrow();
  });

  test.each([{}, { workerConcurrency: 1 }, { db: undefined }, { db: null }] as MonqueTsedConfig[])(
    'is asked for where there is none: %o',
    (config) => {
      expect(() => validateDatabaseConfig(config)).toThrow(MonqueError);
      expect(() => validateDatabaseConfig(config)).toThrow(
        "MonqueTsedConfig requires exactly one of 'db', 'dbFactory', or 'dbToken' to be set",
      );
    },
  );

  test.each<MonqueTsedConfig>([
    { db: store, dbFactory: () => store },
    { db: store, dbToken: 'DB' },
    { dbFactory: () => store, dbToken: 'DB' },
    { db: store, dbFactory: () => store, dbToken: 'DB' },
  ])('is asked for where there are several: %o', (config) => {
    expect(() => validateDatabaseConfig(config)).toThrow(MonqueError);
    expect(() => validateDatabaseConfig(config)).toThrow(
      "MonqueTsedConfig accepts only one of 'db', 'dbFactory', or 'dbToken' - multiple were provided",
    );
  });
});

describe('a database is found', () => {
  test('that is given: a Db or a store, as it is', async () => {
    await expect(resolveDatabase({ db: database.db })).resolves.toBe(database.db);
    await expect(resolveDatabase({ db: store })).resolves.toBe(store);
  });

  test('by a factory, also one that takes its time', async () => {
    await expect(resolveDatabase({ dbFactory: () => database.db })).resolves.toBe(database.db);
    await expect(resolveDatabase({ dbFactory: async () => store })).resolves.toBe(store);
  });

  test('by a token', async () => {
    const resolve = (token: unknown) => (token === 'DB' ? database.db : undefined);
    await expect(resolveDatabase({ dbToken: 'DB' }, resolve)).resolves.toBe(database.db);
  });

  test('in a Mongoose connection, once it is open', async () => {
    const connection = connecting();
    expect(connection.db).toBeUndefined();
    const found = await resolveDatabase({ db: connection });
    expect(found).toBe(connection.db);
    expect(connection.db?.databaseName).toBe(database.name);
  });

  test('in a Mongoose service: the connection default, the one of an id, or its own default', async () => {
    const connection = await connecting().asPromise();
    const serviceWith = (known: string) => ({
      get: (id?: string) => (id === known || (id === undefined && known === 'main') ? connection : undefined),
    });
    await expect(resolveDatabase({ db: serviceWith('default') })).resolves.toBe(connection.db);
    await expect(resolveDatabase({ db: serviceWith('jobs'), mongooseConnectionId: 'jobs' })).resolves.toBe(
      connection.db,
    );
    await expect(resolveDatabase({ db: serviceWith('main') })).resolves.toBe(connection.db);
  });
});

describe('it is refused', () => {
  test('that a token resolves to nothing', async () => {
    class Missing {}
    const answer = resolveDatabase({ dbToken: Missing as never }, () => undefined);
    await expect(answer).rejects.toThrow(MonqueError);
    await expect(answer).rejects.toThrow("'dbToken' (Missing) resolves to nothing. Register a provider");
  });

  test.each([
    ['an instance of Date', new Date()],
    ['an instance of Map', new Map()],
    ['some other object', {}],
    ['a string', 'mongodb://localhost'],
  ])('that there is something else: %s', async (described, value) => {
    const answer = resolveDatabase({ dbToken: 'DB' }, () => value);
    await expect(answer).rejects.toThrow(MonqueError);
    await expect(answer).rejects.toThrow(
      `'dbToken' (DB) is ${described}. It must be a Db of the MongoDB driver`,
    );
    await expect(resolveDatabase({ db: value as never })).rejects.toThrow(`'db' is ${described}`);
    await expect(resolveDatabase({ dbFactory: () => value as never })).rejects.toThrow(
      `'dbFactory' is ${described}`,
    );
  });

  test('that a factory is no function, or gives nothing', async () => {
    await expect(resolveDatabase({ dbFactory: store as never })).rejects.toThrow(
      "'dbFactory' must be a function",
    );
    await expect(resolveDatabase({ dbFactory: () => undefined as never })).rejects.toThrow(
      "'dbFactory' is undefined",
    );
  });

  test('that a Mongoose connection was never opened', async () => {
    const connection = mongoose.createConnection();
    await expect(resolveDatabase({ db: connection })).rejects.toThrow(
      "'db' is a Mongoose connection that is not open",
    );
  });

  test('that a Mongoose service has no such connection', async () => {
    await expect(
      resolveDatabase({ db: { get: () => undefined }, mongooseConnectionId: 'jobs' }),
    ).rejects.toThrow('"mongooseConnectionId"');
  });

  test('what the factory itself throws stays as it is', async () => {
    const original = new Error('no route to host');
    const answer = resolveDatabase({ dbFactory: () => Promise.reject(original) });
    await expect(answer).rejects.toBe(original);
  });
});
