import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeEach, inject } from 'vitest';
import type { MongoTopology } from '../mongodb/mongo-server.js';
import { databaseName } from './database-name.js';
import './provided-servers.js';

/** A database that belongs to one test file. */
export interface TestDatabase {
  /** False where there is no MongoDB: then all tests of the file are skipped. */
  readonly available: boolean;
  readonly uri: string;
  readonly name: string;
  readonly client: MongoClient;
  readonly db: Db;
}

/**
 * Makes a MongoDB database of the calling file's own, and drops it after the file's last test. To be called at the top of
 * a test file, or of a `describe`.
 *
 * Where there is no MongoDB, every test beside the call is skipped. A file whose `beforeAll` uses the database puts it
 * inside `describe.skipIf(!database.available)`.
 */
export function testDatabase(topology: MongoTopology = 'replicaSet'): TestDatabase {
  const { mongo } = inject('servers');
  const available = !('missing' in mongo);
  // A client that is never used: the constructor connects to nothing.
  const uri = available ? mongo[topology] : 'mongodb://127.0.0.1:1';
  const name = databaseName();
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  const db = client.db(name);

  beforeEach((context) => context.skip(!available, 'no MongoDB: set MONGODB_URI'));
  afterAll(async () => {
    if (available) await db.dropDatabase();
    await client.close();
  });
  return { available, uri, name, client, db };
}
