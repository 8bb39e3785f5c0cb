import { testDatabase } from '@monque/test-servers/vitest';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore, PAST, toClaim, toInserts } from './open-store.js';
import { explain, recordCommands } from './sent-commands.js';

const NAMES = Array.from({ length: 40 }, (_, index) => `name-${index}`);
const CROWD = 300;
const LIMIT = 5;

const database = testDatabase();

describe.skipIf(!database.available)('With a crowd of due jobs under each of 40 names', () => {
  beforeEach(async () => {
    await database.db.dropDatabase();
    const store = await openStore(database.db);
    // All jobs of a name are due for longer than any of the next one, which they hide.
    for (const [index, name] of NAMES.entries()) {
      const nextRunAt = new Date(PAST.getTime() + index);
      await store.insert(toInserts(CROWD, () => ({ name, nextRunAt })));
    }
  });

  const wants = NAMES.map((name) => ({ name, limit: LIMIT }));

  test('a claim gives each name its share, and examines a few times what it takes', async () => {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    const total = NAMES.length * LIMIT;
    const request = await toClaim(store, { wants, total });
    take('find');
    const { jobs, more } = await store.claim(request);
    const looks = await Promise.all(take('find').map((find) => explain(database.db, find)));

    for (const name of NAMES) expect(jobs.filter((job) => job.name === name)).toHaveLength(LIMIT);
    expect(jobs).toHaveLength(total);
    expect(more).toBe(true);
    expect(looks.reduce((sum, { docsExamined }) => sum + docsExamined, 0)).toBeLessThan(6 * total);
  });

  test('a claim that must choose takes the jobs that are due for the longest', async () => {
    const store = await openStore(database.db);
    const { jobs, more } = await store.claim(await toClaim(store, { wants, total: 3 * LIMIT + 2 }));
    const names = jobs.map(({ name }) => name);
    expect(names).toEqual(
      [0, 1, 2, 3].flatMap((index) => Array(index < 3 ? LIMIT : 2).fill(`name-${index}`)),
    );
    expect(more).toBe(true);
  });
});
