import {
  ConnectionError,
  InvalidOptionError,
  type JobStore,
  Monque,
  type MonqueOptions,
  memory,
} from '@monque/core';
import { describe, expect, test } from 'vitest';
import { memoryInstances, nextEvent } from './instances.js';

/** A store of which one method behaves differently. */
function storeWith<K extends keyof JobStore<string>>(
  method: K,
  behaviour: (original: JobStore<string>[K]) => JobStore<string>[K],
): JobStore<string> {
  const store = memory();
  const original = store[method];
  const bound = typeof original === 'function' ? (original.bind(store) as typeof original) : original;
  Object.defineProperty(store, method, { value: behaviour(bound) });
  return store;
}

/** Every asynchronous method, called with arguments that are themselves wrong. */
const WRONG_CALLS: Record<string, (monque: Monque<string>) => Promise<unknown>> = {
  enqueue: (monque) => monque.enqueue('', () => 1),
  now: (monque) => monque.now('', () => 1),
  enqueueMany: (monque) => monque.enqueueMany(null as never),
  schedule: (monque) => monque.schedule('nonsense', '', null),
  getJob: (monque) => monque.getJob('no id'),
  getJobs: (monque) => monque.getJobs({ limit: -1 }),
  getJobsWithCursor: (monque) => monque.getJobsWithCursor({ cursor: '?' }),
  getQueueStats: (monque) => monque.getQueueStats(7 as never),
  getQueueViewSummaries: (monque) => monque.getQueueViewSummaries(),
  getJobLogs: (monque) => monque.getJobLogs('no id'),
  cancelJob: (monque) => monque.cancelJob('no id', 7 as never),
  retryJob: (monque) => monque.retryJob('no id'),
  rescheduleJob: (monque) => monque.rescheduleJob('no id', new Date(Number.NaN)),
  releaseJob: (monque) => monque.releaseJob('no id'),
  deleteJob: (monque) => monque.deleteJob('no id'),
  cancelJobs: (monque) => monque.cancelJobs(null as never),
  retryJobs: (monque) => monque.retryJobs(null as never),
  deleteJobs: (monque) => monque.deleteJobs(null as never),
  waitForJob: (monque) => monque.waitForJob('no id', { timeout: -1 }),
  drain: (monque) => monque.drain(),
};

describe('before initialize()', () => {
  test.each(Object.entries(WRONG_CALLS))(
    '%s rejects with ConnectionError, whatever its arguments',
    async (_, call) => {
      const answer = call(new Monque(memory()));
      await expect(answer).rejects.toThrow(ConnectionError);
      await expect(answer).rejects.toThrow('not initialized');
    },
  );

  test('start throws ConnectionError', () => {
    expect(() => new Monque(memory()).start()).toThrow(ConnectionError);
  });

  test('stop resolves at once, also several', async () => {
    const monque = new Monque(memory());
    // Contract: within 50 ms. The deadline is wider, for a machine that pauses; what it must not wait for takes 30 s.
    const start = performance.now();
    await Promise.all([monque.stop(), monque.stop(), monque.stop()]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test('the constructor does no I/O', () => {
    const store = new Proxy(memory(), {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver);
        if (typeof value !== 'function') return value;
        return () => {
          throw new Error(`${String(key)} was called`);
        };
      },
    });
    expect(() => new Monque(store)).not.toThrow();
  });
});

describe('the constructor', () => {
  test.each([undefined, null, {}, 'mongodb://localhost', 7])('refuses %j in place of a database', (db) => {
    expect(() => new Monque(db as never)).toThrow(InvalidOptionError);
  });

  test('refuses an unknown option by name', () => {
    expect(() => new Monque(memory(), { polInterval: 1 } as MonqueOptions)).toThrow('polInterval');
  });

  test('allows twenty listeners per event', () => {
    expect(new Monque(memory()).getMaxListeners()).toBe(20);
  });
});

describe('initialize()', () => {
  test('opens the store once, however many call it at the same time', async () => {
    let opened = 0;
    const store = storeWith('open', (open) => async (options) => {
      opened += 1;
      await open(options);
    });
    const monque = new Monque(store);
    await Promise.all([monque.initialize(), monque.initialize()]);
    await monque.initialize();
    expect(opened).toBe(1);
  });

  test('surfaces a failure of the driver as ConnectionError with its cause, and can be called again', async () => {
    const failure = new Error('no servers found');
    let broken = true;
    const store = storeWith('open', (open) => async (options) => {
      if (broken) throw failure;
      await open(options);
    });
    const monque = new Monque(store);
    const first = monque.initialize();
    await expect(first).rejects.toThrow(ConnectionError);
    await expect(first).rejects.toMatchObject({
      cause: failure,
      message: expect.stringContaining('no servers found'),
    });
    await expect(monque.getJobs()).rejects.toThrow('not initialized');
    broken = false;
    await monque.initialize();
    await expect(monque.getJobs()).resolves.toEqual([]);
  });

  test('stop resolves after a failed initialize', async () => {
    const store = storeWith('now', () => () => Promise.reject(new Error('gone')));
    const monque = new Monque(store);
    await expect(monque.initialize()).rejects.toThrow('gone');
    await monque.stop();
  });
});

describe('with an instance', () => {
  const make = memoryInstances();

  test('isHealthy is true between start and stop', async () => {
    const monque = await make();
    expect(monque.isHealthy()).toBe(false);
    monque.start();
    expect(monque.isHealthy()).toBe(true);
    const stopped = monque.stop();
    expect(monque.isHealthy()).toBe(false);
    await stopped;
  });

  test('a schedulerInstanceId that a live process uses is refused, naming option, id and job', async () => {
    const first = await make({ schedulerInstanceId: 'web-1' });
    const started = nextEvent(first, 'job:start');
    let finish = (): void => undefined;
    first.register('slow', () => new Promise<void>((resolve) => (finish = resolve)));
    first.start();
    const job = await first.enqueue('slow', null);
    await started;
    const second = make({ schedulerInstanceId: 'web-1' });
    await expect(second).rejects.toThrow(ConnectionError);
    await expect(second).rejects.toThrow(/schedulerInstanceId.*web-1/);
    await expect(second).rejects.toThrow(job._id);
    finish();
  });

  test('initialize recovers stale jobs and tells of them before it resolves', async () => {
    const now = Date.now();
    let time = now;
    const store = memory({ clock: () => time });
    await store.insert([
      {
        job: { name: 'a', data: null, status: 'pending', nextRunAt: new Date(now), createdAt: new Date(now) },
        onDuplicate: 'keep',
      },
    ]);
    await store.claim({
      owner: 'dead',
      token: 'token',
      wants: [{ name: 'a', limit: 1 }],
      total: 1,
      now: new Date(now),
      heartbeatInterval: 1_000,
    });
    time += 10_000;
    const monque = new Monque(store, { lockTimeout: 5_000 });
    const told: number[] = [];
    monque.on('stale:recovered', ({ count }) => told.push(count));
    await monque.initialize();
    expect(told).toEqual([1]);
    expect((await monque.getJobs())[0]?.status).toBe('pending');
  });

  test('after stop it still enqueues and queries', async () => {
    const monque = await make();
    monque.start();
    await monque.stop();
    const job = await monque.enqueue('a', { n: 1 });
    expect(await monque.getJob(job._id)).toMatchObject({ data: { n: 1 } });
  });

  test('after close it is not initialized, and initialize opens it again', async () => {
    const monque = await make();
    await monque.close();
    await expect(monque.enqueue('a', null)).rejects.toThrow('not initialized');
    await monque.initialize();
    await monque.enqueue('a', null);
  });

  test('await using closes it', async () => {
    const monque = await make();
    {
      await using held = monque;
      held.start();
      expect(held.isHealthy()).toBe(true);
    }
    expect(monque.isHealthy()).toBe(false);
  });

  test('a listener that throws neither breaks a call nor the engine', async () => {
    const monque = await make();
    const reported = nextEvent(monque, 'job:error');
    monque.register('a', () => 'done');
    monque.on('job:start', () => {
      throw new Error('The listener is broken');
    });
    monque.start();
    const { _id } = await monque.enqueue('a', null);
    expect(await monque.waitForJob(_id, { timeout: 5_000 })).toMatchObject({
      status: 'completed',
      result: 'done',
    });
    expect((await reported).error.message).toBe('The listener is broken');
  });
});
