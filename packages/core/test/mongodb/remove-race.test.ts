import { testDatabase } from '@monque/test-servers/vitest';
import { Collection } from 'mongodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openStore, toInserts } from './open-store.js';

const database = testDatabase();

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!database.available)('a removal by a filter', () => {
  test('leaves a job that was set to run again between the look and the removal', async () => {
    const store = await openStore(database.db);
    const inserted = await store.insert(toInserts(3));
    const ids = inserted.map(({ job }) => job._id);
    const now = await store.now();
    await store.change(ids, { type: 'cancel', running: false }, now);
    const [retried = ids[0]] = ids;
    const deleteMany = Collection.prototype.deleteMany;
    const spy = vi.spyOn(Collection.prototype, 'deleteMany').mockImplementation(async function (
      this: Collection,
      ...args
    ) {
      // Once what was found is about to go; the first of these calls is for the logs.
      if (spy.mock.calls.length === 1) await store.change([retried as never], { type: 'retry' }, now);
      return deleteMany.apply(this, args);
    });
    expect(await store.removeWhere({ statuses: ['cancelled'] }, 100)).toBe(2);
    expect(await store.get(ids)).toMatchObject([{ _id: retried, status: 'pending' }]);
  });
});
