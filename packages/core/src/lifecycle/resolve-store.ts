import type { Db } from 'mongodb';
import { InvalidOptionError } from '../errors/input-errors.js';
import { isMongoDb } from '../mongodb/is-mongo-db.js';
import { mongoStore } from '../mongodb/mongo-store.js';
import type { JobStore } from '../store/port.js';

/** The store for what a caller handed in. On a `Db` the ids are ObjectIds, which is what `Id` is by default. */
export function resolveStore<Id>(db: Db | JobStore<Id>): JobStore<Id> {
  if (isMongoDb(db)) return mongoStore(db) as JobStore<unknown> as JobStore<Id>;
  if (isJobStore(db)) return db;
  throw new InvalidOptionError(
    'db',
    'The first argument must be a Db of the MongoDB driver (client.db()), or a store such as memory()',
  );
}

/** By shape: a store may come from another package. */
function isJobStore<Id>(value: Db | JobStore<Id>): value is JobStore<Id> {
  return typeof value === 'object' && value !== null && 'claim' in value && 'settle' in value;
}
