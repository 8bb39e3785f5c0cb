import type { JobStore, MonqueOptions } from '@monque/core';
import type { TokenProvider } from '@tsed/di';
import type { Db } from 'mongodb';

/** A connection of Mongoose, by shape: an application may hold several copies of Mongoose. */
export interface MongooseConnectionLike {
  /** Resolves once the connection is open. */
  asPromise(): Promise<unknown>;
  /** The driver's own database, once the connection is open. */
  readonly db?: unknown;
}

/** The `MongooseService` of `@tsed/mongoose`, by shape. */
export interface MongooseServiceLike {
  /** A connection by its id, the default one without. */
  get(id?: string): MongooseConnectionLike | undefined;
  /** Closes all of them. */
  closeConnections?(): Promise<void>;
}

/** Whatever jobs can be stored in. */
export type MonqueDatabase = Db | JobStore<unknown> | MongooseConnectionLike | MongooseServiceLike;

/**
 * The `monque` part of a Ts.ED configuration: all options of Monque, and where its jobs are stored. Exactly one of `db`,
 * `dbFactory` and `dbToken` is to be set.
 *
 * @example
 * ```ts
 * import { MonqueModule } from '@monque/tsed';
 * import { Configuration } from '@tsed/di';
 * import { MongooseService } from '@tsed/mongoose';
 *
 * @Configuration({
 *   imports: [MonqueModule],
 *   mongoose: [{ id: 'default', url: 'mongodb://localhost:27017/shop' }],
 *   monque: { dbToken: MongooseService, workerConcurrency: 10 },
 * })
 * class Server {}
 * ```
 */
export interface MonqueTsedConfig extends MonqueOptions {
  /**
   * Name of this instance, where an application has several: those are given as an array.
   *
   * @defaultValue 'default'
   */
  id?: string;
  /**
   * Whether there is to be an instance at all. With false nothing is connected, registered or started.
   *
   * @defaultValue true
   */
  enabled?: boolean;
  /**
   * A database that exists already: a `Db`, a Mongoose connection or service, or a store such as `sqlite(...)`. In the
   * configuration of the root module only: Ts.ED copies that of others.
   *
   * @defaultValue none
   */
  db?: MonqueDatabase;
  /**
   * Makes the database. Called once per start-up, and awaited.
   *
   * @defaultValue none
   */
  dbFactory?: () => Promise<MonqueDatabase> | MonqueDatabase;
  /**
   * Token of a provider that has the database: a `Db`, a Mongoose connection or service, or a store.
   *
   * @defaultValue none
   */
  dbToken?: TokenProvider<MonqueDatabase> | string;
  /**
   * Which connection to take, where the database is given as a Mongoose service.
   *
   * @defaultValue 'default', and without one of that name the service's own default
   */
  mongooseConnectionId?: string;
  /**
   * Only enqueue and query in this process: no worker is registered, no schedule stored, no job taken.
   *
   * @defaultValue false
   */
  disableJobProcessing?: boolean;
}

declare global {
  namespace TsED {
    interface Configuration {
      /** Monque: one instance, or several that have an `id` each. */
      monque?: MonqueTsedConfig | readonly MonqueTsedConfig[];
    }
  }
}
