import { testDatabase } from '@monque/test-servers/vitest';
import { ObjectId } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { FUTURE, openStore, PAST } from './open-store.js';
import { explain, recordCommands } from './sent-commands.js';

const database = testDatabase();
const MANY = 20_000;

const LIGHT = { by: 'id', direction: 'asc', limit: 500, light: true } as const;

describe.skipIf(!database.available)('With many jobs that wait, and many that have ended', () => {
  const parents = Array.from({ length: MANY }, () => new ObjectId());

  beforeAll(async () => {
    const store = await openStore(database.db);
    await store.close();
    const jobs = database.db.collection('monque_jobs');
    const common = { name: 'work', data: {}, failCount: 0, createdAt: PAST, updatedAt: PAST };
    const documents = (parts: (index: number) => object) =>
      Array.from({ length: MANY }, (_, index) => ({ ...common, nextRunAt: FUTURE, ...parts(index) }));
    await jobs.insertMany(
      documents((index) => ({ status: 'awaiting-continuation', parentJobId: parents[index] })),
    );
    await jobs.insertMany(documents((index) => ({ status: 'completed', parentJobId: parents[index] })));
    await jobs.insertMany(documents(() => ({ status: 'completed', batchId: 'large' })));
    await jobs.insertMany(
      documents(() => ({ status: 'awaiting-batch', batchId: 'other', claimToken: 'fill' })),
    );
    await jobs.insertMany(documents(() => ({ status: 'completed' })));
  });

  /** What the server did for the last query of a call. */
  async function executionOf(call: (store: Awaited<ReturnType<typeof openStore>>) => Promise<unknown>) {
    const { db, take } = recordCommands(database);
    const store = await openStore(db);
    take('find');
    await call(store);
    const [find] = take('find');
    return explain(database.db, find ?? {});
  }

  test('what waits for a few jobs is found by their ids', async () => {
    const some = parents.slice(100, 110);
    const { keysExamined, docsExamined, returned } = await executionOf((store) =>
      store.page({ filter: { parents: some, statuses: ['awaiting-continuation'] }, ...LIGHT }),
    );
    expect(returned).toBe(10);
    expect(docsExamined).toBe(10);
    expect(keysExamined).toBeLessThanOrEqual(30);
  });

  test('where nothing waits for jobs that have ended, no document is read', async () => {
    const strangers = Array.from({ length: 500 }, () => new ObjectId());
    const { docsExamined } = await executionOf((store) =>
      store.page({ filter: { parents: strangers, statuses: ['awaiting-continuation'] }, ...LIGHT }),
    );
    expect(docsExamined).toBe(0);
  });

  test('a step of the sweep is a range of its index, without a sort', async () => {
    const filter = { statuses: ['awaiting-continuation', 'awaiting-batch'], fill: null } as const;
    const { stages, returned, docsExamined } = await executionOf((store) =>
      // Behind the members that are being stored, which it would otherwise pass over one by one.
      store.page({ filter: { ...filter, statuses: ['awaiting-continuation'] }, ...LIGHT }),
    );
    expect(stages).not.toContain('SORT');
    expect(returned).toBe(500);
    expect(docsExamined).toBeLessThanOrEqual(501);
    const both = await executionOf((store) => store.page({ filter, ...LIGHT }));
    expect(both.stages).not.toContain('SORT');
    expect(both.docsExamined).toBeLessThanOrEqual(MANY + 501);
  });

  test('whether a batch has an open member is told by keys of its index', async () => {
    const ended = await executionOf((store) => store.batches.hasOpenMember('large'));
    expect(ended).toMatchObject({ returned: 0, docsExamined: 0 });
    expect(ended.keysExamined).toBeLessThanOrEqual(10);
    const open = await executionOf((store) => store.batches.hasOpenMember('other'));
    expect(open).toMatchObject({ returned: 1 });
    expect(open.docsExamined).toBeLessThanOrEqual(1);
  });
});
