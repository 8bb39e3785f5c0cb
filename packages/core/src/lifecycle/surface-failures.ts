import { MonqueError } from '../errors/monque-error.js';
import { ConnectionError } from '../errors/operation-errors.js';
import type { BatchStore } from '../store/batch-types.js';
import type { Inserted } from '../store/insert-types.js';
import type { JobStore } from '../store/port.js';
import type { RecurringStore } from '../store/recurring-types.js';

/** What callers from outside need of a store; the rest is the engine's. */
export type OutsideStore<Id> = Pick<
  JobStore<Id>,
  | 'payload'
  | 'parseId'
  | 'insert'
  | 'get'
  | 'page'
  | 'counts'
  | 'countsByName'
  | 'change'
  | 'changeWhere'
  | 'remove'
  | 'removeWhere'
  | 'logs'
> & { readonly recurring: RecurringStore<Id>; readonly batches: BatchStore };

/** What a caller gets to see of an error that came from a store. */
export function surfaced(error: unknown): Error {
  if (error instanceof MonqueError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ConnectionError(`The database did not carry out the operation: ${reason}`, { cause: error });
}

/**
 * A store for callers from outside: a driver's failure becomes a `ConnectionError` with its cause. The engine
 * uses the store as it is, since nobody sees its errors directly.
 */
export function surfaceFailures<Id>(store: JobStore<Id>): OutsideStore<Id> {
  const insert = surfacing<Parameters<typeof store.insert>, Inserted<Id>[]>((...args) =>
    store.insert(...args),
  );
  return {
    payload: store.payload,
    parseId: (value) => store.parseId(value),
    // In a user's transaction the driver's own error must come through: its labels tell the user's retry
    // loop (`withTransaction`) whether to try again.
    insert: (inserts, options) =>
      options?.session === undefined ? insert(inserts, options) : store.insert(inserts, options),
    get: surfacing((ids) => store.get(ids)),
    page: surfacing((request) => store.page(request)),
    counts: surfacing((name) => store.counts(name)),
    countsByName: surfacing(() => store.countsByName()),
    change: surfacing((ids, change, now) => store.change(ids, change, now)),
    changeWhere: surfacing((filter, change, now, limit) => store.changeWhere(filter, change, now, limit)),
    remove: surfacing((ids) => store.remove(ids)),
    removeWhere: surfacing((filter, limit) => store.removeWhere(filter, limit)),
    logs: surfacing((id) => store.logs(id)),
    recurring: surfaceRecurring(store.recurring),
    batches: surfaceBatches(store.batches),
  };
}

function surfaceBatches(batches: BatchStore): BatchStore {
  return {
    create: surfacing((record) => batches.create(record)),
    get: surfacing((ids) => batches.get(ids)),
    page: surfacing((request) => batches.page(request)),
    replace: surfacing((record) => batches.replace(record)),
    remove: surfacing((record) => batches.remove(record)),
    hasOpenMember: surfacing((id) => batches.hasOpenMember(id)),
    counts: surfacing((ids) => batches.counts(ids)),
  };
}

function surfaceRecurring<Id>(recurring: RecurringStore<Id>): RecurringStore<Id> {
  return {
    put: surfacing((change) => recurring.put(change)),
    get: surfacing((id) => recurring.get(id)),
    list: surfacing(() => recurring.list()),
    setEnabled: surfacing((id, resumeAt, at) => recurring.setEnabled(id, resumeAt, at)),
    remove: surfacing((id) => recurring.remove(id)),
    due: surfacing((request) => recurring.due(request)),
    advance: surfacing((steps) => recurring.advance(steps)),
    noteFired: surfacing((id, last) => recurring.noteFired(id, last)),
  };
}

function surfacing<Args extends unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw surfaced(error);
    }
  };
}
