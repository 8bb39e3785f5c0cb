import { type JobStore, MonqueError } from '@monque/core';
import { inject, type TokenProvider } from '@tsed/di';
import type { Db } from 'mongodb';
import { DEFAULT_INSTANCE } from '../constants.js';
import type { MongooseConnectionLike, MongooseServiceLike, MonqueTsedConfig } from './monque-tsed-config.js';
import { validateDatabaseConfig } from './validate-database-config.js';

const ACCEPTED =
  'a Db of the MongoDB driver, a Mongoose connection, the MongooseService of @tsed/mongoose, or a store such as sqlite()';

/** Where jobs are stored, and the Mongoose service behind it, where there is one. */
export interface FoundDatabase {
  readonly database: Db | JobStore<unknown>;
  readonly service?: MongooseServiceLike;
}

/**
 * Finds where jobs are stored, by whichever of `db`, `dbFactory` and `dbToken` the configuration has. Waits for a Mongoose
 * connection that is still being opened.
 *
 * @param resolve - Looks tokens up; Ts.ED's own `inject` unless given.
 * @throws MonqueError
 */
export async function resolveDatabase(
  config: MonqueTsedConfig,
  resolve?: (token: TokenProvider) => unknown,
): Promise<Db | JobStore<unknown>> {
  return (await findDatabase(config, resolve)).database;
}

/** The same, with what else came to light. */
export async function findDatabase(
  config: MonqueTsedConfig,
  resolve: (token: TokenProvider) => unknown = inject,
): Promise<FoundDatabase> {
  validateDatabaseConfig(config);
  if (config.dbToken !== undefined) {
    const name = `'dbToken' (${tokenName(config.dbToken)})`;
    const value = await resolve(config.dbToken);
    if (value === undefined || value === null) {
      throw new MonqueError(
        `${name} resolves to nothing. Register a provider for this token, or correct it in "monque" of @Configuration`,
      );
    }
    return judge(value, name, config);
  }
  if (config.dbFactory !== undefined) {
    if (typeof config.dbFactory !== 'function') {
      throw new MonqueError(`'dbFactory' must be a function that returns ${ACCEPTED}`);
    }
    return judge(await config.dbFactory(), "'dbFactory'", config);
  }
  return judge(config.db, "'db'", config);
}

/** By shape, never by class: an application may hold several copies of the driver and of Mongoose. */
async function judge(value: unknown, name: string, config: MonqueTsedConfig): Promise<FoundDatabase> {
  if (isDb(value) || isStore(value)) return { database: value };
  if (isConnection(value)) return { database: await databaseOf(value, name) };
  if (isMongooseService(value)) {
    return { database: await databaseOf(connectionOf(value, name, config), name), service: value };
  }
  throw new MonqueError(`${name} is ${describe(value)}. It must be ${ACCEPTED}`);
}

/** A connection has no `db` until it is open. */
async function databaseOf(connection: MongooseConnectionLike, name: string): Promise<Db> {
  await connection.asPromise();
  if (isDb(connection.db)) return connection.db;
  throw new MonqueError(
    `${name} is a Mongoose connection that is not open. Open it (openUri), or pass one made by createConnection(uri)`,
  );
}

function connectionOf(
  service: MongooseServiceLike,
  name: string,
  { mongooseConnectionId: id }: MonqueTsedConfig,
): MongooseConnectionLike {
  const connection = id === undefined ? (service.get(DEFAULT_INSTANCE) ?? service.get()) : service.get(id);
  if (isConnection(connection)) return connection;
  throw new MonqueError(
    `${name} is a Mongoose service without a connection "${id ?? DEFAULT_INSTANCE}". ` +
      'Add it under "mongoose" in @Configuration, or set "mongooseConnectionId" to the id of another one',
  );
}

function isDb(value: unknown): value is Db {
  return hasMethods(value, 'collection', 'command') && typeof value.databaseName === 'string';
}

function isStore(value: unknown): value is JobStore<unknown> {
  return hasMethods(value, 'claim', 'settle');
}

function isConnection(value: unknown): value is MongooseConnectionLike {
  return hasMethods(value, 'asPromise') && !hasMethods(value, 'command');
}

function isMongooseService(value: unknown): value is MongooseServiceLike {
  return hasMethods(value, 'get') && !(value instanceof Map);
}

function hasMethods(value: unknown, ...names: string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}

function tokenName(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== 'Object' ? `an instance of ${name}` : 'some other object';
}
