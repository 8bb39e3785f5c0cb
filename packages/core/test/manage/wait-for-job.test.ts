import { ConnectionError, InvalidOptionError, Monque, memory, WaitTimeoutError } from '@monque/core';
import { describe, expect, test } from 'vitest';
import { WaitRoom } from '../../src/manage/wait-room.js';
import { VirtualHost } from '../engine/virtual-host.js';
import { onEveryStore } from '../facade/instances.js';

onEveryStore('waitForJob', (make) => {
  test('resolves with the final job, whatever its status', async () => {
    const monque = await make({ maxRetries: 1 });
    monque.register('good', () => ({ n: 1 }));
    monque.register('bad', () => {
      throw new Error('No luck');
    });
    monque.start();
    const good = await monque.enqueue('good', null);
    const bad = await monque.enqueue('bad', null);
    const never = await monque.enqueue('never', null);
    const waiting = [good, bad, never].map(({ _id }) => monque.waitForJob(_id, { timeout: 5_000 }));
    await monque.cancelJob(never._id);
    expect(await Promise.all(waiting)).toMatchObject([
      { _id: good._id, status: 'completed', result: { n: 1 } },
      { _id: bad._id, status: 'failed', failReason: 'No luck' },
      { _id: never._id, status: 'cancelled' },
    ]);
  });

  test('resolves at once for a job that is final already', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', null);
    await monque.cancelJob(_id);
    expect(await monque.waitForJob(String(_id))).toMatchObject({ status: 'cancelled' });
  });

  test('resolves when another process settles the job', async () => {
    const producer = await make();
    const worker = await make();
    worker.register('a', () => 'done');
    const { _id } = await producer.enqueue('a', null);
    const waiting = producer.waitForJob(_id, { timeout: 5_000 });
    worker.start();
    expect(await waiting).toMatchObject({ status: 'completed', result: 'done' });
  });

  test('is null for a job that is not there, or is removed meanwhile, here or elsewhere', async () => {
    const monque = await make();
    const other = await make();
    expect(await monque.waitForJob('nonsense')).toBeNull();
    const jobs = await Promise.all([1, 2, 3].map((n) => monque.enqueue('a', n)));
    const waiting = jobs.map(({ _id }) => monque.waitForJob(_id, { timeout: 5_000 }));
    await monque.deleteJob(jobs[0]?._id);
    await other.deleteJob(jobs[1]?._id);
    await monque.deleteJobs({});
    expect(await Promise.all(waiting)).toEqual([null, null, null]);
    expect(await monque.waitForJob(jobs[0]?._id)).toBeNull();
  });

  test('rejects when its time is over, and the job goes on', async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', null);
    const waiting = monque.waitForJob(_id, { timeout: 20 });
    await expect(waiting).rejects.toThrow(WaitTimeoutError);
    await expect(waiting).rejects.toMatchObject({ jobId: String(_id) });
    expect(await monque.getJob(_id)).toMatchObject({ status: 'pending' });
  });

  test("rejects with the signal's reason when it aborts, also before the call", async () => {
    const monque = await make();
    const { _id } = await monque.enqueue('a', null);
    const controller = new AbortController();
    const waiting = monque.waitForJob(_id, { signal: controller.signal });
    const reason = new Error('Enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(monque.waitForJob(_id, { signal: controller.signal })).rejects.toBe(reason);
  });

  test('goes on for a recurring job that has only run once', async () => {
    const monque = await make();
    monque.register('a', () => 1);
    const { _id } = await monque.schedule('@yearly', 'a', null, { runAt: new Date() });
    const waiting = monque.waitForJob(_id, { timeout: 5_000 });
    await monque.drain();
    expect(await monque.getJob(_id)).toMatchObject({ status: 'pending' });
    await monque.cancelJob(_id);
    expect(await waiting).toMatchObject({ status: 'cancelled' });
  });

  test.each([{ timeout: -1 }, { timeout: Number.NaN }, { timeout: '5' }, { signal: {} }, { timeOut: 5 }, 5])(
    'refuses the options %j',
    async (options) => {
      const monque = await make();
      const { _id } = await monque.enqueue('a', null);
      await expect(monque.waitForJob(_id, options as never)).rejects.toThrow(InvalidOptionError);
    },
  );
});

describe('many who wait', () => {
  test('share one query at a time, and none is left when they are gone', async () => {
    const store = memory();
    const asked: number[] = [];
    const get = store.get.bind(store);
    store.get = (ids) => {
      asked.push(ids.length);
      return get(ids);
    };
    const monque = new Monque(store);
    await monque.initialize();
    const jobs = await monque.enqueueMany(Array.from({ length: 50 }, (_, n) => ({ name: 'a', data: n })));
    const waiting = jobs.map(({ _id }) => monque.waitForJob(_id, { timeout: 5_000 }));
    const looks = asked.length;
    expect(looks).toBe(50);
    // Behind the instance's back, so that only the poller can see it.
    await store.change(
      jobs.map(({ _id }) => _id),
      { type: 'cancel', running: false },
      new Date(),
    );
    expect((await Promise.all(waiting)).every((job) => job?.status === 'cancelled')).toBe(true);
    expect(asked.slice(looks)).toEqual([50]);
  });

  test('are answered while others keep coming', async () => {
    const host = new VirtualHost();
    const store = memory({ clock: host.trueTime });
    const room = new WaitRoom<string>(store, host);
    const answered: number[] = [];
    for (let index = 0; index < 20; index++) {
      // Of a job that is not there, which a look tells.
      room.enter({ id: `${index}`, settle: () => answered.push(index), fail: () => {} });
      await host.advance(10);
    }
    expect(answered.length).toBeGreaterThan(10);
  });

  test('are answered after an outage', async () => {
    const store = memory();
    const get = store.get.bind(store);
    const monque = new Monque(store);
    await monque.initialize();
    const { _id } = await monque.enqueue('a', null);
    const waiting = monque.waitForJob(_id, { timeout: 5_000 });
    let failures = 0;
    const failedTwice = new Promise<void>((resolve) => {
      store.get = () => {
        failures += 1;
        if (failures === 2) resolve();
        return Promise.reject(new Error('gone'));
      };
    });
    await failedTwice;
    store.get = get;
    await store.change([_id], { type: 'cancel', running: false }, new Date());
    expect(await waiting).toMatchObject({ status: 'cancelled' });
  });

  test('are sent home when the instance is closed', async () => {
    const monque = new Monque(memory());
    await monque.initialize();
    const { _id } = await monque.enqueue('a', null);
    const waiting = expect(monque.waitForJob(_id)).rejects.toThrow(ConnectionError);
    await monque.close();
    await waiting;
  });
});
