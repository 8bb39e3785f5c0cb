import { testDatabase } from '@monque/test-servers/vitest';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Insert } from '../../src/store/insert-types.js';
import { openStore, PAST, toClaim, toInserts } from './open-store.js';
import { explain, recordCommands } from './sent-commands.js';

const NAMES = Array.from({ length: 60 }, (_, index) => `name-${index}`);
const JOBS = 1_200;
const TOTAL = 300;
/** Jobs that the first claim takes. */
const FIRST = 60;

const database = testDatabase();

/** In turn under all names, the next one always a moment later. */
const inTurn = (index: number) => ({
  name: NAMES[index % NAMES.length] ?? '',
  nextRunAt: new Date(PAST.getTime() + index),
});

const wants = NAMES.map((name) => ({ name, limit: 100 }));

describe.skipIf(!database.available)('With due jobs under 60 names', () => {
  beforeEach(async () => {
    await database.db.dropDatabase();
    const store = await openStore(database.db);
    await store.insert(toInserts(JOBS, inTurn));
  });

  /** Claims twice, since it takes a backlog first; answers which jobs came second, and how the server looked for them. */
  const claim = async ({ wanted = wants, between = [] as readonly Insert[] } = {}) => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    await store.claim(await toClaim(store, { wants: wanted, total: FIRST }));
    await store.insert(between);
    const request = await toClaim(store, { wants: wanted, total: TOTAL });
    take('find');
    const { jobs, more } = await store.claim(request);
    const sent = take('find');
    const looks = await Promise.all(sent.map((find) => explain(database.db, find)));
    const due = jobs.map(({ nextRunAt }) => nextRunAt.getTime() - PAST.getTime());
    return { jobs, due, more, stages: looks.flatMap(({ stages }) => stages), looks };
  };

  test('one scan finds those of all names, and reads no more than it returns', async () => {
    const { due, more, stages, looks } = await claim();
    expect(due).toEqual(Array.from({ length: TOTAL }, (_, index) => FIRST + index));
    expect(more).toBe(true);
    expect(stages).not.toContain('SORT_MERGE');
    for (const { docsExamined, returned } of looks) expect(docsExamined).toBe(returned);
  });

  test('without a backlog nothing that others have left there is read', async () => {
    const store = await openStore(database.db);
    const mine = ['mine', ...Array.from({ length: 39 }, (_, index) => `mine-${index}`)];
    await store.insert(toInserts(1, () => ({ name: 'mine' })));
    await database.db.collection('monque_jobs').deleteMany({ name: { $nin: ['mine', 'name-0'] } });
    const wanted = mine.map((name) => ({ name, limit: 100 }));
    const { jobs, looks } = await claim({ wanted, between: toInserts(3, () => ({ name: 'mine' })) });
    expect(jobs).toHaveLength(3);
    for (const { docsExamined } of looks) expect(docsExamined).toBeLessThanOrEqual(3);
  });

  test('jobs of a name that is not wanted are passed over, however many there are', async () => {
    const before = new Date(PAST.getTime() - 1);
    const between = toInserts(TOTAL, () => ({ name: 'other', nextRunAt: before }));
    const { due, more, stages } = await claim({ between });
    expect(due).toEqual(Array.from({ length: TOTAL }, (_, index) => FIRST + index));
    expect(more).toBe(true);
    expect(stages).toContain('SORT_MERGE');
  });

  test('a name that is not wanted does not end the claim of what is left of the others', async () => {
    const some = NAMES.slice(0, 40);
    const { jobs, more } = await claim({ wanted: some.map((name) => ({ name, limit: 100 })) });
    expect(jobs).toHaveLength(TOTAL);
    expect(new Set(jobs.map(({ name }) => name))).toEqual(new Set(some));
    expect(more).toBe(true);
  });

  test('jobs with a priority go first, and those below the plain ones last', async () => {
    const last = JOBS - 1;
    const above = toInserts(2, () => ({ ...inTurn(last), priority: 7 }));
    const below = toInserts(2, () => ({ ...inTurn(0), priority: -7 }));
    const { jobs, due } = await claim({ between: [...above, ...below] });
    expect(due).toEqual([last, last, ...Array.from({ length: TOTAL - 2 }, (_, index) => FIRST + index)]);
    expect(jobs.slice(0, 3).map(({ priority }) => priority)).toEqual([7, 7, undefined]);
  });

  test('claims in a row take every job once', async () => {
    const store = await openStore(database.db);
    await store.insert(toInserts(5, () => ({ name: 'other' })));
    const seen: unknown[] = [];
    for (let more = true; more; ) {
      const result = await store.claim(await toClaim(store, { wants, total: 170 }));
      seen.push(...result.jobs.map(({ _id }) => String(_id)));
      more = result.more;
    }
    expect(new Set(seen).size).toBe(JOBS);
    expect(seen).toHaveLength(JOBS);
  });
});
