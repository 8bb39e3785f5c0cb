import { beforeEach, describe, expect, test } from 'vitest';
import { continueWith, enqueue } from '../../src/intake/enqueue.js';
import { registerWorker } from '../../src/lifecycle/register-worker.js';
import type { Change } from '../../src/store/change-types.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { StoredJob } from '../../src/store/query-types.js';
import { enqueueBatch } from '../../src/workflow/enqueue-batch.js';
import { getBatch } from '../../src/workflow/read-batches.js';
import { withFaults } from '../engine/engine-on.js';
import { VirtualHost } from '../engine/virtual-host.js';
import { type VirtualProcess, virtualProcess } from './virtual-process.js';

let host: VirtualHost;
let memory: MemoryStore;

beforeEach(() => {
  host = new VirtualHost();
  memory = new MemoryStore(host.trueTime);
});

/** Fails once, and is done when it is tried again. */
function failsOnce(): (data: unknown) => boolean {
  const seen = new Set<unknown>();
  return (data) => {
    const isFirst = data === 'parent' && !seen.has(data);
    seen.add(data);
    return isFirst;
  };
}

/** Something that waits until the test lets it go on. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A process whose changes of one type wait until they are let go. */
async function stuckAt(type: Change['type'], fails: (data: unknown) => boolean) {
  const { opened, open } = gate();
  const store = withFaults(memory as never, {
    async change(ids, change, now) {
      if (change.type === type) await opened;
      return memory.change(ids as string[], change, now);
    },
  });
  const process = await virtualProcess(store as never, host, {}, fails);
  return { process, letGo: open };
}

const statusOf = async ({ _id }: StoredJob<string>) => (await memory.get([_id]))[0]?.status;

describe('A parent is retried by hand while another process looks after its failure', () => {
  const addFamily = async (process: VirtualProcess) => {
    const parent = await enqueue(process, 'work', 'parent', undefined);
    const child = await continueWith(process, parent._id, 'work', 'child', undefined);
    return { parent, child };
  };

  test('which cancels the child only then: it waits again', async () => {
    const fails = failsOnce();
    const { process: slow, letGo } = await stuckAt('forgo', fails);
    const other = await virtualProcess(memory, host, {}, fails);
    const { parent, child } = await addFamily(other);
    slow.engine.start();
    await host.advance(1_000);
    expect(await statusOf(parent)).toBe('failed');
    await other.actions.retry(parent._id);
    await host.advance(1_000);
    expect(await statusOf(parent)).toBe('completed');
    letGo();
    await host.advance(1_000);
    expect(await statusOf(child)).toBe('completed');
    expect(slow.ran).toEqual(['parent', 'parent', 'child']);
  });

  test('which cancels the child between the two steps of the retry: it waits again', async () => {
    const fails = failsOnce();
    const { process: slow, letGo: forgo } = await stuckAt('forgo', fails);
    const { process: retrying, letGo: retry } = await stuckAt('retry', fails);
    const { parent, child } = await addFamily(retrying);
    slow.engine.start();
    await host.advance(1_000);
    const retried = retrying.actions.retry(parent._id);
    await host.advance(100);
    forgo();
    await host.advance(100);
    expect(await statusOf(child)).toBe('cancelled');
    retry();
    await retried;
    await host.advance(100);
    expect(await statusOf(child)).not.toBe('cancelled');
    await host.advance(1_000);
    expect([...slow.ran, ...retrying.ran]).toEqual(['parent', 'parent', 'child']);
  });
});

test('A member that another process cancels, while this one ends the others, does not keep the batch open', async () => {
  const learns = gate();
  const slowToLearn = withFaults(memory as never, {
    async verify(owner, claims) {
      await learns.opened;
      return memory.verify(owner, claims as never);
    },
  });
  const worker = await virtualProcess(slowToLearn as never, host);
  const other = await virtualProcess(memory, host);
  registerWorker(worker, 'endless', () => new Promise(() => {}), undefined);
  const ends = gate();
  registerWorker(worker, 'long', () => ends.opened, undefined);
  const items = ['endless', 'long'].map((name) => ({ name, data: {} }));
  const { batchId, jobs } = await enqueueBatch(other, items, undefined);
  worker.engine.start();
  await host.advance(100);
  // Whoever cancels looks at the batch, and finds a member that runs; then that one ends while this process still
  // believes to hold the cancelled one.
  await other.actions.cancel(jobs[0]?._id, { running: true });
  await other.engine.followUp.whenDone();
  ends.open();
  await host.advance(100);
  expect(await statusOf(jobs[1] as StoredJob<string>)).toBe('completed');
  learns.open();
  await host.advance(100);
  expect(await getBatch(memory.batches, batchId)).toMatchObject({ outcome: 'cancelled', progress: 1 });
});

test('Two processes that find a batch complete at the same moment make one mark', async () => {
  const processes = await Promise.all([virtualProcess(memory, host), virtualProcess(memory, host)]);
  const items = [1, 2].map((data) => ({ name: 'work', data }));
  const { batchId, jobs } = await enqueueBatch(processes[0]!, items, undefined);
  const looks = processes.map(async (process, index) => {
    await process.actions.cancel(jobs[index]?._id);
    await process.engine.followUp.whenDone();
  });
  await Promise.all([...looks, host.advance(1_000)]);
  expect(processes.flatMap((process) => process.told('batch:complete'))).toHaveLength(1);
  expect(await getBatch(memory.batches, batchId)).toMatchObject({ outcome: 'cancelled' });
});

test('A follow-up that fails is an event, and nothing else waits for it', async () => {
  const store = withFaults(memory as never, {
    async page(request) {
      if (request.filter.parents !== undefined) throw new Error('connection refused');
      return memory.page(request as never);
    },
  });
  const process = await virtualProcess(store as never, host);
  process.engine.start();
  for (const data of [1, 2, 3]) await enqueue(process, 'work', data, undefined);
  await host.advance(1_000);
  expect(process.ran).toEqual([1, 2, 3]);
  expect(process.told('job:complete')).toHaveLength(3);
  expect(process.told('job:error').map(({ error }) => error.message)).toContain('connection refused');
  await Promise.all([process.engine.stop(), host.advance(1_000)]);
  expect(process.told('job:error').map(({ error }) => error.name)).not.toContain('ShutdownTimeoutError');
});
