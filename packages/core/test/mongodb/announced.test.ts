import { testDatabase } from '@monque/test-servers/vitest';
import { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Announced } from '../../src/mongodb/claim/announced.js';
import type { Insert } from '../../src/store/insert-types.js';
import type { JobStore } from '../../src/store/port.js';
import { FUTURE, openStore, PAST, toClaim, toInsert, toInserts } from './open-store.js';
import { recordCommands } from './sent-commands.js';

const database = testDatabase();
const LOOK = ['find', 'find'];

/** A store that watches, and has looked once in vain; what another one stores, and the commands of each claim. */
async function afterSilence() {
  const other = await openStore(database.db);
  const { db, takeKinds } = recordCommands(database);
  const store = await openStore(db);
  const observer = { due: vi.fn(), stopped: vi.fn(), lost: vi.fn() };
  const subscription = await store.watch(observer);
  onTestFinished(() => subscription.close());
  const claim = async (by: JobStore<ObjectId> = store) => {
    const request = await toClaim(by);
    takeKinds();
    const { jobs, more } = await by.claim(request);
    // The stream asks on by itself.
    return { jobs, more, sent: takeKinds().filter((kind) => kind !== 'getMore') };
  };
  await claim();
  return {
    store,
    other,
    claim,
    /** How often the first store was told of jobs. */
    told: () => observer.due.mock.calls.length,
    /** Resolves when the first store has been told. */
    storeElsewhere: async (...inserts: Insert[]) => {
      const before = observer.due.mock.calls.length;
      await other.insert(inserts);
      await vi.waitFor(() => expect(observer.due).toHaveBeenCalledTimes(before + inserts.length));
    },
  };
}

describe.skipIf(!database.available)('After a silence', () => {
  beforeEach(async () => {
    await database.db.dropDatabase();
  });

  test('the one job that the stream has told of is taken by its id, and then there is a look', async () => {
    const { claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(toInsert({ data: 'first' }));
    expect(await claim()).toMatchObject({
      jobs: [{ data: 'first', status: 'processing' }],
      more: true,
      sent: ['findAndModify'],
    });
    expect(await claim()).toEqual({ jobs: [], more: false, sent: LOOK });
  });

  test('a look follows each job that was taken so, whatever was told of meanwhile', async () => {
    const { claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(toInsert());
    await claim();
    await storeElsewhere(toInsert({ data: 'next' }));
    expect(await claim()).toMatchObject({ jobs: [{ data: 'next' }], sent: [...LOOK, 'update'] });
  });

  test('a job of another name is no reason for anything but a look', async () => {
    const { claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(toInsert({ name: 'of others' }));
    expect(await claim()).toEqual({ jobs: [], more: false, sent: LOOK });
  });

  test('a job of another name is left alone also where the stream does not tell the name', async () => {
    const { other, claim, storeElsewhere, told } = await afterSilence();
    await storeElsewhere(toInsert({ name: 'of others' }));
    await claim();
    const [job] = (await other.claim(await toClaim(other, { wants: [{ name: 'of others', limit: 1 }] })))
      .jobs;
    const before = told();
    await other.release([{ id: job!._id, token: job!.claimToken! }], PAST);
    await vi.waitFor(() => expect(told()).toBe(before + 1));
    expect(await claim()).toEqual({ jobs: [], more: false, sent: ['findAndModify', ...LOOK] });
  });

  test('several jobs are looked for', async () => {
    const { claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(...toInserts(3));
    expect(await claim()).toMatchObject({ jobs: [{}, {}, {}], more: false, sent: [...LOOK, 'update'] });
  });

  test('a job that another process was faster with is followed by a look', async () => {
    const { other, claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(toInsert());
    await claim(other);
    expect(await claim()).toEqual({ jobs: [], more: false, sent: ['findAndModify', ...LOOK] });
  });

  test('jobs that others run hide none that is run here', async () => {
    const { claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(...toInserts(20, () => ({ name: 'of others' })));
    await storeElsewhere(toInsert({ data: 'ours', nextRunAt: new Date(PAST.getTime() + 1) }));
    expect(await claim()).toMatchObject({ jobs: [{ data: 'ours' }], sent: ['findAndModify'] });
  });

  test('jobs that wait for later hide no job that is due', async () => {
    const { claim, storeElsewhere } = await afterSilence();
    await storeElsewhere(...toInserts(20, () => ({ nextRunAt: FUTURE })));
    await storeElsewhere(toInsert({ data: 'due' }));
    expect(await claim()).toMatchObject({ jobs: [{ data: 'due' }], sent: ['findAndModify'] });
  });
});

test('What is told of a job that was taken a moment ago is old', () => {
  const announced = new Announced();
  const own = { id: new ObjectId(), name: 'work', nextRunAt: PAST };
  announced.note(own);
  expect(announced.takeOnly(['work'], PAST)).toBe(own.id);
  announced.note(own);
  expect(announced.takeOnly(['work'], PAST)).toBeUndefined();
});
