import { testDatabase } from '@monque/test-servers/vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { FUTURE, openStore, PAST, toClaim, toInsert } from './open-store.js';
import { explain, recordCommands } from './sent-commands.js';

const database = testDatabase();
const FINISHED = 20_000;
const WAITING = 20_000;
const DUE = 300;

/** Documents as the store writes them, without the time that this many inserts through it would take. */
function documents(count: number, parts: (index: number) => object): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: 'work',
    data: {},
    failCount: 0,
    createdAt: new Date(PAST.getTime() + index),
    updatedAt: new Date(PAST.getTime() + index),
    ...parts(index),
  }));
}

describe.skipIf(!database.available)('With many finished jobs and many that wait for later', () => {
  beforeAll(async () => {
    const store = await openStore(database.db);
    await store.close();
    const jobs = database.db.collection('monque_jobs');
    const at = (ms: number) => new Date(PAST.getTime() + ms);
    await jobs.insertMany(documents(FINISHED, (index) => ({ status: 'completed', nextRunAt: at(index) })));
    // Future jobs of many priorities, above and below, all of which a claim has to pass over.
    await jobs.insertMany(
      documents(WAITING, (index) => ({ status: 'pending', nextRunAt: FUTURE, priority: (index % 40) - 20 })),
    );
    await jobs.insertMany(documents(WAITING, () => ({ status: 'pending', nextRunAt: FUTURE })));
    await jobs.insertMany(documents(DUE, (index) => ({ status: 'pending', nextRunAt: at(index) })));
    await jobs.insertMany(
      documents(DUE, (index) => ({ status: 'pending', nextRunAt: at(index), priority: 5 })),
    );
    // Due and less urgent than plain jobs, and due for longer.
    await jobs.insertMany(
      documents(WAITING, (index) => ({
        name: 'bulk',
        status: 'pending',
        nextRunAt: at(-index),
        priority: -1,
      })),
    );
    await jobs.insertMany(documents(10, () => ({ name: 'bulk', status: 'pending', nextRunAt: PAST })));
    await jobs.insertMany(documents(2_000, () => ({ name: 'quiet', status: 'pending', nextRunAt: FUTURE })));
    await jobs.insertMany(
      documents(50, (index) => ({
        name: 'held',
        status: 'processing',
        lockedAt: PAST,
        nextRunAt: at(index),
      })),
    );
  });

  test.each([100, 1_000])('a claim of %i examines little more than it takes', async (limit) => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    const request = await toClaim(store, { total: limit, wants: [{ name: 'work', limit }] });
    take('find');
    const { jobs } = await store.claim(request);
    await store.release(
      jobs.map(({ _id, claimToken }) => ({ id: _id, token: claimToken ?? '' })),
      request.now,
    );
    const finds = take('find');
    expect(finds.length).toBeGreaterThan(1);
    for (const find of finds) {
      const { keysExamined, docsExamined, returned } = await explain(database.db, find);
      // One seek for each priority, and the key that ends each range.
      expect(keysExamined).toBeLessThanOrEqual(returned + 50);
      expect(docsExamined).toBe(returned);
    }
    expect(jobs).toHaveLength(Math.min(limit, 2 * DUE));
  });

  test('less urgent jobs that are due for longer are not read on the way to the others', async () => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    const request = await toClaim(store, { total: 10, wants: [{ name: 'bulk', limit: 10 }] });
    take('find');
    const { jobs } = await store.claim(request);
    expect(jobs.map(({ priority }) => priority)).toEqual(Array(10).fill(undefined));
    for (const find of take('find')) {
      expect((await explain(database.db, find)).docsExamined).toBeLessThanOrEqual(11);
    }
  });

  test('a claim after a silence is one write, which examines the job that it takes', async () => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    const wants = [
      { name: 'quiet', limit: 10 },
      { name: 'unknown', limit: 10 },
    ];
    await store.claim(await toClaim(store, { wants }));
    await store.insert([toInsert({ name: 'quiet' })]);
    const request = await toClaim(store, { wants });
    take('findAndModify');
    expect((await store.claim(request)).jobs).toHaveLength(1);
    const [command] = take('findAndModify');
    expect(await explain(database.db, command ?? {})).toMatchObject({ keysExamined: 1, docsExamined: 1 });
  });

  test('a claim for 450 names reads the keys of each once', async () => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    const names = ['work', ...Array.from({ length: 449 }, (_, index) => `name-${index}`)];
    take('find');
    await store.claim(await toClaim(store, { wants: names.map((name) => ({ name, limit: 5 })), total: 5 }));
    for (const find of take('find')) {
      const { stages, keysExamined } = await explain(database.db, find);
      expect(stages).not.toContain('SORT');
      expect(keysExamined).toBeLessThan(300);
    }
  });

  test('the next due time is one key for each name', async () => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    take('find');
    await store.nextDueAt(['work', 'bulk'], PAST);
    for (const find of take('find')) {
      expect((await explain(database.db, find)).keysExamined).toBeLessThanOrEqual(4);
    }
  });

  test('recovery reads what is claimed, not what is finished', async () => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    take('update');
    await store.recover({ now: PAST, lockTimeout: 1_000, legacyLockTimeout: 1_000 });
    const [update] = take('update');
    const { keysExamined, docsExamined } = await explain(database.db, update ?? {});
    expect(keysExamined).toBeLessThan(200);
    expect(docsExamined).toBeLessThan(200);
  });

  test.each(['createdAt', 'updatedAt', 'nextRunAt'] as const)(
    'a page by %s is a range of its index',
    async (by) => {
      const { db, take } = recordCommands(database);
      const store = await openStore(db);
      const [last] = await store.page({ filter: {}, by, direction: 'asc', limit: 1, skip: 10_000 });
      take('find');
      for (const direction of ['asc', 'desc'] as const) {
        const after = { key: last?.[by] ?? null, id: last?._id ?? store.parseId('0'.repeat(24))! };
        await store.page({ filter: {}, by, direction, after, limit: 50 });
      }
      for (const find of take('find')) {
        const { stages, docsExamined } = await explain(database.db, find);
        expect(stages).not.toContain('SORT');
        // A page of each range that may follow, at most.
        expect(docsExamined).toBeLessThanOrEqual(150);
      }
    },
  );
});
