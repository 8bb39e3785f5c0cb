import { beforeEach, describe, expect, test } from 'vitest';
import { continueWith, enqueue } from '../../src/intake/enqueue.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { StoredJob } from '../../src/store/query-types.js';
import { continueBatchWith } from '../../src/workflow/continue-batch.js';
import { addToBatch, enqueueBatch } from '../../src/workflow/enqueue-batch.js';
import { getBatch } from '../../src/workflow/read-batches.js';
import { VirtualHost } from '../engine/virtual-host.js';
import { dyingStore, type VirtualProcess, virtualProcess } from './virtual-process.js';

/** Longer than a walk of the sweeper takes to come. */
const ONE_SWEEP = 45_000;
const MINUTE = 60_000;

let host: VirtualHost;
let memory: MemoryStore;
/** The process that lives. */
let survivor: VirtualProcess;

beforeEach(async () => {
  host = new VirtualHost();
  memory = new MemoryStore(host.trueTime);
  survivor = await virtualProcess(memory, host);
});

const items = (...data: unknown[]) => data.map((one) => ({ name: 'work', data: one }));

async function statusOf({ _id }: StoredJob<string>): Promise<string | undefined> {
  return (await memory.get([_id]))[0]?.status;
}

/** Starts a process that dies at a certain call, and waits until it has. */
async function victim(dies: Parameters<typeof dyingStore>[1]): Promise<VirtualProcess> {
  return virtualProcess(dyingStore(memory, dies).store, host);
}

describe('A process that dies between an outcome and its follow-up', () => {
  const onLook = (method: string, args: readonly unknown[]) =>
    method === 'page' && (args[0] as { filter: { parents?: unknown } }).filter.parents !== undefined;

  test.each(['completed', 'fail'])('leaves a child of a %s parent to the sweep, once', async (data) => {
    const dying = await victim((method, args) => onLook(method, args) && 'before');
    const parent = await enqueue(survivor, 'work', data, undefined);
    const child = await continueWith(survivor, parent._id, 'work', 'child', undefined);
    const grandchild = await continueWith(survivor, child._id, 'work', 'grandchild', { on: 'any' });
    dying.engine.start();
    await host.advance(1_000);
    expect(dying.ran).toEqual([data]);
    expect(await statusOf(child)).toBe('awaiting-continuation');
    survivor.engine.start();
    await host.advance(ONE_SWEEP);
    expect(await statusOf(child)).toBe(data === 'fail' ? 'cancelled' : 'completed');
    expect(await statusOf(grandchild)).toBe('completed');
    expect(survivor.ran).toEqual(data === 'fail' ? ['grandchild'] : ['child', 'grandchild']);
    await host.advance(10 * ONE_SWEEP);
    expect(survivor.ran).toHaveLength(data === 'fail' ? 1 : 2);
  });

  test('or in the middle of a chain that is forgone', async () => {
    const dying = await victim((method) => method === 'change' && 'after');
    const parent = await enqueue(survivor, 'work', 'fail', undefined);
    const child = await continueWith(survivor, parent._id, 'work', 'child', undefined);
    const grandchild = await continueWith(survivor, child._id, 'work', 'grandchild', undefined);
    dying.engine.start();
    await host.advance(1_000);
    expect([await statusOf(child), await statusOf(grandchild)]).toEqual([
      'cancelled',
      'awaiting-continuation',
    ]);
    survivor.engine.start();
    await host.advance(ONE_SWEEP);
    expect(await statusOf(grandchild)).toBe('cancelled');
  });

  test.each(['before', 'after'] as const)('%s a batch is marked as complete', async (when) => {
    const dying = await victim((method, args) => {
      const isMark = method === 'batches.replace' && (args[0] as { finishedAt?: Date }).finishedAt;
      return isMark ? when : false;
    });
    const { batchId } = await enqueueBatch(survivor, items(1, 2), undefined);
    const report = await continueBatchWith(survivor, batchId, 'work', 'report', undefined);
    dying.engine.start();
    await host.advance(1_000);
    expect(await statusOf(report)).toBe('awaiting-batch');
    survivor.engine.start();
    await host.advance(ONE_SWEEP);
    expect(await statusOf(report)).toBe('completed');
    expect(await getBatch(memory.batches, batchId)).toMatchObject({ outcome: 'completed' });
    // Whoever made the mark tells; nobody does where that one died right after it.
    expect(survivor.told('batch:complete')).toHaveLength(when === 'before' ? 1 : 0);
    await host.advance(10 * ONE_SWEEP);
    expect(survivor.ran).toEqual(['report']);
  });

  test('or between a new child and the look at its parent, which had ended', async () => {
    const dying = await victim((method) => method === 'insert' && 'after');
    survivor.engine.start();
    const parent = await enqueue(survivor, 'work', 'parent', undefined);
    await host.advance(1_000);
    void continueWith(dying, parent._id, 'work', 'child', undefined);
    await host.advance(1_000);
    expect(survivor.ran).toEqual(['parent']);
    await host.advance(ONE_SWEEP);
    expect(survivor.ran).toEqual(['parent', 'child']);
  });

  test('or between the removal of a parent and that of its children', async () => {
    const now = new Date(host.trueTime());
    const times = { nextRunAt: now, createdAt: now, updatedAt: now };
    const orphan = { name: 'work', data: 1, failCount: 0, status: 'awaiting-continuation', ...times };
    const id = await memory.write({ ...orphan, parentJobId: '0'.repeat(24) });
    survivor.engine.start();
    await host.advance(ONE_SWEEP);
    expect(await memory.get([id])).toEqual([]);
  });
});

test.each([
  { status: 'awaiting-continuation' },
  { status: 'awaiting-batch', batchId: 'of others' },
  { status: 'awaiting-continuation', parentJobId: null, awaitsBatchId: null },
])('A job of others that does not say what it waits for is left alone: %j', async (parts) => {
  const now = new Date(host.trueTime());
  const times = { nextRunAt: now, createdAt: now, updatedAt: now };
  const id = await memory.write({ name: 'work', data: 1, failCount: 0, ...times, ...parts });
  survivor.engine.start();
  await host.advance(3 * ONE_SWEEP);
  expect((await memory.get([id]))[0]).toMatchObject({ status: parts.status, updatedAt: now });
});

describe('A process that dies while it stores a batch', () => {
  const stored = async () => (await memory.counts()).byStatus;

  test.each([
    ['after the first portion', (method: string) => method === 'insert' && 'after'],
    ['before the write that decides', (method: string) => method === 'batches.replace' && 'before'],
  ] as const)('%s: nobody sees the batch, and a sweep removes all of it', async (_, dies) => {
    const dying = await victim(dies);
    void enqueueBatch(dying, items(...Array(1_500).keys()), { id: 'batch' });
    await host.advance(1_000);
    expect((await stored())['awaiting-batch']).toBeGreaterThanOrEqual(1_000);
    expect(await getBatch(memory.batches, 'batch')).toBeNull();
    survivor.engine.start();
    await host.advance(1_000);
    expect(survivor.ran).toEqual([]);
    await host.advance(MINUTE + 2 * ONE_SWEEP);
    expect(await stored()).toEqual({});
    await host.advance(MINUTE + 2 * ONE_SWEEP);
    // The id is free again.
    await enqueueBatch(survivor, items(1), { id: 'batch' });
    await host.advance(1_000);
    expect(survivor.ran).toEqual([1]);
  });

  test.each([
    ['right after the write that decides', (method: string) => method === 'batches.replace' && 'after'],
    ['after the first members are released', (method: string) => method === 'changeWhere' && 'after'],
  ] as const)('%s: a sweep releases the rest, once', async (_, dies) => {
    const dying = await victim(dies);
    void enqueueBatch(dying, items(...Array(1_500).keys()), { id: 'batch' });
    await host.advance(1_000);
    expect(await getBatch(memory.batches, 'batch')).toMatchObject({ total: 1_500 });
    const report = await continueBatchWith(survivor, 'batch', 'work', 'report', undefined);
    survivor.engine.start();
    await host.advance(10_000);
    expect(await statusOf(report)).toBe('awaiting-batch');
    await host.advance(MINUTE + 2 * ONE_SWEEP);
    expect(survivor.ran).toHaveLength(1_501);
    expect(new Set(survivor.ran).size).toBe(1_501);
    expect(survivor.ran.at(-1)).toBe('report');
  });

  test('a crash of addToBatch leaves the batch as it was, and only delays its end', async () => {
    const dying = await victim((method) => method === 'insert' && 'after');
    await enqueueBatch(survivor, items(1), { id: 'batch' });
    void addToBatch(dying, 'batch', items('lost'));
    survivor.engine.start();
    await host.advance(1_000);
    expect(survivor.ran).toEqual([1]);
    expect(await getBatch(memory.batches, 'batch')).not.toHaveProperty('finishedAt');
    await host.advance(2 * MINUTE + 3 * ONE_SWEEP);
    expect(await getBatch(memory.batches, 'batch')).toMatchObject({ total: 1, outcome: 'completed' });
    expect(survivor.ran).toEqual([1]);
  });

  test('one that is slow, and shorter than a minute silent, is left alone', async () => {
    const { store, letGo } = slowToInsert();
    const late = enqueueBatch(await virtualProcess(store, host), items(1), { id: 'batch' });
    survivor.engine.start();
    await host.advance(50_000);
    letGo();
    expect(await late).toMatchObject({ batchId: 'batch' });
    await host.advance(1_000);
    expect(survivor.ran).toEqual([1]);
  });

  test('one that was only slow learns that it was given up, and leaves nothing behind', async () => {
    const { store, letGo } = slowToInsert();
    const late = enqueueBatch(await virtualProcess(store, host), items(1), { id: 'batch' });
    survivor.engine.start();
    await host.advance(MINUTE + 2 * ONE_SWEEP);
    letGo();
    await expect(late).rejects.toThrow(/None of them will run/);
    await host.advance(2 * MINUTE + 2 * ONE_SWEEP);
    expect(await stored()).toEqual({});
    expect(await memory.batches.get(['batch'])).toEqual([]);
  });
});

/** The store as seen by a process whose inserts take until they are let go. */
function slowToInsert(): { store: MemoryStore; letGo(): void } {
  let letGo = (): void => {};
  const stuck = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const store = new Proxy(memory, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (key !== 'insert') return typeof member === 'function' ? member.bind(target) : member;
      return async (...args: Parameters<typeof memory.insert>) => {
        await stuck;
        return target.insert(...args);
      };
    },
  });
  return { store, letGo: () => letGo() };
}
