import { testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { openStore, PAST } from './open-store.js';

const { db, available } = testDatabase();
const jobs = db.collection('monque_jobs');

/** Documents of one name: so many pending, and as many completed after as many milliseconds. */
function documents(name: string, count: number): object[] {
  const finishedAt = new Date(PAST.getTime() + count);
  const common = { name, nextRunAt: PAST, createdAt: PAST, updatedAt: PAST };
  return Array.from({ length: count }, () => [
    { ...common, status: 'pending' },
    { ...common, status: 'completed', executedAt: PAST, finishedAt },
  ]).flat();
}

describe.skipIf(!available)('Counts', () => {
  test('are told although a document of others has a text in place of a time', async () => {
    await jobs.deleteMany({});
    const store = await openStore(db);
    const common = { name: 'work', status: 'completed', updatedAt: PAST };
    await jobs.insertMany([
      { ...common, createdAt: 'yesterday' },
      { ...common, createdAt: PAST, updatedAt: 'today' },
      { ...common, createdAt: new Date(PAST.getTime() - 70) },
    ]);
    expect(await store.counts()).toEqual({ byStatus: { completed: 3 }, avgProcessingDurationMs: 70 });
  });

  test.each([3, 120])('are the same however many names there are: %i', async (names) => {
    await jobs.deleteMany({});
    const store = await openStore(db);
    const counts = Array.from({ length: names }, (_, index) => index + 1);
    await jobs.insertMany(counts.flatMap((count) => documents(`name-${count}`, count)));
    // Foreign documents are not ours to count.
    await jobs.insertMany([{ name: 'name-1', status: 'unheard-of' }, { status: 'pending' }]);

    const byName = await store.countsByName();
    expect(byName.size).toBe(names);
    for (const count of counts) {
      const expected = { byStatus: { pending: count, completed: count }, avgProcessingDurationMs: count };
      expect(byName.get(`name-${count}`)).toEqual(expected);
      expect(await store.counts(`name-${count}`)).toEqual(expected);
    }
    const sum = (names * (names + 1)) / 2;
    expect((await store.counts()).byStatus).toEqual({ pending: sum, completed: sum });
    expect(await store.counts('nobody')).toEqual({ byStatus: {} });
  });
});
