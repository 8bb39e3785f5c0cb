import { describe, expect, test } from 'vitest';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { breakable, engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

describe('outcomes', () => {
  test('are kept through an outage and written when the store is back', async () => {
    const host = new VirtualHost();
    const inner: JobStore = memory({ clock: host.trueTime });
    const { store, down } = breakable(inner);
    const under = await engineOn(store, host);
    under.register('work', () => {
      down.now = true;
      return 'done';
    });
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(60_000);
    expect(await inner.get([job._id])).toMatchObject([{ status: 'processing' }]);
    expect(under.named('job:complete')).toEqual([]);
    expect(under.named('job:error').length).toBeGreaterThan(0);

    down.now = false;
    await host.advance(10_000);
    expect(await under.job(job._id)).toMatchObject({ status: 'completed', result: 'done' });
    expect(under.named('job:complete')).toHaveLength(1);
  });

  test('count once when the write took effect although it seemed to fail', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let failures = 1;
    const faulty = withFaults(store, {
      async settle(batch) {
        const settled = await store.settle(batch);
        if (failures-- > 0) throw new Error('connection reset');
        return settled;
      },
    });
    const under = await engineOn(faulty, host);
    under.register('work', () => {});
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(10_000);
    expect((await under.job(job._id)).status).toBe('completed');
    expect(under.named('job:complete')).toHaveLength(1);
  });

  test('that a store refuses do not keep the others from being stored', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const refusing: Pick<JobStore, 'settle' | 'isRefusal'> = {
      isRefusal: () => true,
      async settle(batch) {
        const poisoned = batch.items.some(
          ({ outcome }) => 'result' in outcome && outcome.result === 'poison',
        );
        if (poisoned) throw new Error('document too large');
        return store.settle(batch);
      },
    };
    const under = await engineOn(withFaults(store, refusing), host, { workerConcurrency: 10 });
    under.register('work', (job) => (job.data as { result: string }).result);
    const jobs = await Promise.all(
      ['a', 'b', 'poison', 'c'].map((result) => under.insert('work', { data: { result } })),
    );
    under.engine.start();
    await host.advance(30_000);
    const stored = await Promise.all(jobs.map((job) => under.job(job._id)));
    expect(stored.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed', 'completed']);
    expect(stored[2]?.failReason).toContain('document too large');
    expect(under.named('job:complete')).toHaveLength(3);
    expect(under.named('job:fail')).toMatchObject([{ willRetry: false }]);
  });

  test('stay what they are however often a failure passes that is no refusal', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let failures = 30;
    const failing = withFaults(store, {
      async settle(batch) {
        if (failures-- > 0) throw new Error('not primary');
        return store.settle(batch);
      },
    });
    const under = await engineOn(failing, host);
    under.register('work', () => 'done');
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(200_000);
    expect(await under.job(job._id)).toMatchObject({ status: 'completed', result: 'done' });
  });

  test('are told of after a failure is in the log', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let told = 0;
    const slowLogs = withFaults(store, {
      async appendLogs(entries) {
        await new Promise<void>((resolve) => host.after(50, resolve));
        told = under.named('job:fail').length;
        return store.appendLogs(entries);
      },
    });
    const under = await engineOn(slowLogs, host);
    under.register('work', () => {
      throw new Error('broken');
    });
    await under.insert('work');
    under.engine.start();
    await host.advance(1_000);
    expect(told).toBe(0);
    expect(under.named('job:fail')).toHaveLength(1);
  });

  test('of a series that fails for good are in the log of its copy too', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const under = await engineOn(store, host, { maxRetries: 1 });
    under.register('nightly', () => {
      throw new Error('broken');
    });
    const series = await under.insert('nightly', { repeatInterval: '0 0 * * *' });
    under.engine.start();
    await host.advance(1_000);
    const [event] = under.named('job:fail');
    expect(await store.logs(series._id)).toMatchObject([{ text: 'broken' }]);
    expect(await store.logs(event?.job._id)).toMatchObject([{ text: 'broken' }]);
  });

  test('of a run that lost its claim change nothing and are not announced', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const under = await engineOn(store, host);
    let finish: () => void = () => {};
    under.register('work', () => new Promise<void>((resolve) => (finish = resolve)));
    const job = await under.insert('work');
    under.engine.start();
    await host.advance(10);
    await store.change([job._id], { type: 'cancel', running: true }, new Date(host.trueTime()));
    finish();
    await host.advance(1_000);
    expect((await under.job(job._id)).status).toBe('cancelled');
    expect(under.named('job:complete')).toEqual([]);
  });
});
