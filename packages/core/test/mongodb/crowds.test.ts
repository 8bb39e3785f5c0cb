import { testDatabase } from '@monque/test-servers/vitest';
import type { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JobStore } from '../../src/store/port.js';
import { openStore, PAST, toClaim, toInserts } from './open-store.js';

const { db, available } = testDatabase();
let store: JobStore<ObjectId>;

async function claim(limits: Record<string, number>, total: number) {
  const wants = Object.entries(limits).map(([name, limit]) => ({ name, limit }));
  return store.claim(await toClaim(store, { wants, total }));
}

function tally(jobs: readonly { name: string; priority?: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, priority } of jobs) {
    const key = priority === undefined ? name : `${name} ${priority}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Due for longer, the lower the number. */
const due = (age: number) => new Date(PAST.getTime() + age);

describe.skipIf(!available)('Claims from a crowd of due jobs', () => {
  beforeEach(async () => {
    await db.dropDatabase();
    store = await openStore(db);
  });

  test('take the most urgent of many priorities, claim after claim', async () => {
    await store.insert(toInserts(100, (index) => ({ priority: (index % 5) + 1, nextRunAt: due(index) })));
    await store.insert(toInserts(20, (index) => ({ nextRunAt: due(-index) })));
    await store.insert(toInserts(50, (index) => ({ priority: -1, nextRunAt: due(-1_000 - index) })));
    const taken: (number | undefined)[] = [];
    for (;;) {
      const { jobs, more } = await claim({ work: 7 }, 7);
      taken.push(...jobs.map(({ priority }) => priority));
      if (!more) break;
    }
    const expected = [5, 4, 3, 2, 1].flatMap((priority) => Array(20).fill(priority));
    expect(taken).toEqual([...expected, ...Array(20).fill(undefined), ...Array(50).fill(-1)]);
  });

  test('do not let a busy name hide another, with or without priorities', async () => {
    await store.insert(toInserts(300, () => ({ name: 'busy', priority: 9, nextRunAt: due(-9) })));
    await store.insert(toInserts(300, () => ({ name: 'busy', nextRunAt: due(-9) })));
    await store.insert(toInserts(300, () => ({ name: 'lively', nextRunAt: due(-5) })));
    await store.insert(toInserts(3, () => ({ name: 'quiet' })));
    await store.insert(toInserts(300, () => ({ name: 'lively', priority: -2, nextRunAt: due(-20) })));
    await store.insert(toInserts(3, () => ({ name: 'quiet', priority: -2 })));
    const { jobs, more } = await claim({ busy: 4, lively: 4, quiet: 10 }, 100);
    expect(tally(jobs)).toEqual({ 'busy 9': 4, lively: 4, quiet: 3, 'quiet -2': 3 });
    expect(more).toBe(true);
  });

  test('keep to the total, and say that there is more', async () => {
    await store.insert(toInserts(30, (index) => ({ name: `name-${index % 3}`, nextRunAt: due(index) })));
    const { jobs, more } = await claim({ 'name-0': 10, 'name-1': 10, 'name-2': 10 }, 10);
    expect(tally(jobs)).toEqual({ 'name-0': 4, 'name-1': 3, 'name-2': 3 });
    expect(more).toBe(true);
    const rest = await claim({ 'name-0': 10, 'name-1': 10, 'name-2': 10 }, 20);
    expect(rest).toMatchObject({ more: false });
    expect(rest.jobs).toHaveLength(20);
  });

  test('say that there is more where jobs of a higher priority used up the limit', async () => {
    await store.insert([...toInserts(2, () => ({ priority: 1 })), ...toInserts(1)]);
    expect(await claim({ work: 2 }, 10)).toMatchObject({ more: true });
    expect((await claim({ work: 2 }, 10)).jobs).toHaveLength(1);
  });

  test('say so too in the first claim after the crowd is gone', async () => {
    await store.insert(toInserts(12, () => ({ name: 'crowd', priority: 1 })));
    await claim({ crowd: 10 }, 10);
    await store.insert([
      ...toInserts(2, () => ({ name: 'closed', priority: 1 })),
      ...toInserts(1, () => ({ name: 'closed' })),
    ]);
    const { jobs, more } = await claim({ closed: 2, quiet: 10 }, 10);
    expect(tally(jobs)).toEqual({ 'closed 1': 2 });
    expect(more).toBe(true);
  });

  test('find jobs of more names than one query takes', async () => {
    const names = Array.from({ length: 450 }, (_, index) => `name-${index}`);
    await store.insert(toInserts(450, (index) => ({ name: names[index]!, nextRunAt: due(450 - index) })));
    const limits = Object.fromEntries(names.map((name) => [name, 1]));
    const { jobs, more } = await claim(limits, 400);
    expect(jobs.map(({ name }) => name)).toEqual(names.toReversed().slice(0, 400));
    expect(more).toBe(true);
    expect(await store.nextDueAt(names, due(0))).toEqual(due(401));
  });

  test('give each job to one of several owners that claim at once', async () => {
    await store.insert(toInserts(1_000, (index) => (index % 3 === 0 ? { priority: index % 7 } : {})));
    const stores = [store, await openStore(db), await openStore(db)];
    const owned = await Promise.all(
      stores.map(async (one, index) => {
        const ids: string[] = [];
        for (;;) {
          const request = await toClaim(one, { owner: `owner-${index}`, total: 40 });
          const { jobs, more } = await one.claim(request);
          ids.push(...jobs.map(({ _id }) => _id.toHexString()));
          if (!more) return ids;
        }
      }),
    );
    expect(owned.flat()).toHaveLength(1_000);
    expect(new Set(owned.flat()).size).toBe(1_000);
  });
});
