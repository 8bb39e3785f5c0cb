import { describe, expect, test } from 'vitest';
import { memory } from '../../src/store/memory/memory-store.js';
import type { JobStore } from '../../src/store/port.js';
import { engineOn, withFaults } from './engine-on.js';
import { VirtualHost } from './virtual-host.js';

const HOUR = 60 * 60 * 1_000;
const rarePolls = { pollInterval: HOUR, safetyPollInterval: HOUR };

describe('the dispatcher knows when the next job is due, and', () => {
  test('asks for the next due time once while it sees every change, and forgets none', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let questions = 0;
    const counting = withFaults(store, {
      nextDueAt: (...question) => {
        questions++;
        return store.nextDueAt(...question);
      },
    });
    const worker = await engineOn(counting, host, rarePolls);
    const producer = await engineOn(store, host, rarePolls);
    const startedAt: number[] = [];
    worker.register('work', () => void startedAt.push(host.trueTime()));
    const begin = host.trueTime();
    await producer.insert('work', { nextRunAt: new Date(begin + 90_000) });
    worker.engine.start();
    await host.advance(1_000);
    questions = 0;
    for (let index = 0; index < 20; index++) {
      await producer.insert('work');
      await producer.insert('work', { nextRunAt: new Date(begin + 60_000 + index) });
      await host.advance(100);
    }
    expect(startedAt).toHaveLength(20);
    expect(questions).toBe(0);
    await host.advance(100_000);
    const later = startedAt.slice(20).map((at) => at - begin);
    expect(later).toEqual([...Array.from({ length: 20 }, (_, index) => 60_000 + index), 90_000]);
  });

  test('asks again when a change does not tell for when a job waits', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const vague = withFaults(store, {
      watch: (observer) =>
        store.watch({ ...observer, due: (_nextRunAt, name) => observer.due(new Date(0), name) }),
    });
    const worker = await engineOn(vague, host, rarePolls);
    const producer = await engineOn(store, host, rarePolls);
    const startedAt: number[] = [];
    worker.register('work', () => void startedAt.push(host.trueTime()));
    worker.engine.start();
    await host.advance(1_000);
    const due = host.trueTime() + 90_000;
    await producer.insert('work', { nextRunAt: new Date(due) });
    await host.advance(100_000);
    expect(startedAt).toEqual([due]);
  });

  test('asks again when such a change comes while the answer is on its way', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    const slow = withFaults(store, {
      watch: (observer) =>
        store.watch({ ...observer, due: (_nextRunAt, name) => observer.due(new Date(0), name) }),
      nextDueAt: async (...question) => {
        const answer = await store.nextDueAt(...question);
        await new Promise<void>((resolve) => void host.after(50, resolve));
        return answer;
      },
    });
    const worker = await engineOn(slow, host, rarePolls);
    const producer = await engineOn(store, host, rarePolls);
    const startedAt: number[] = [];
    worker.register('work', () => void startedAt.push(host.trueTime()));
    worker.engine.start();
    await host.advance(20);
    const due = host.trueTime() + 90_000;
    await producer.insert('work', { nextRunAt: new Date(due) });
    await host.advance(100_000);
    expect(startedAt).toEqual([due]);
  });

  test('asks again after a stream that broke, which may have missed something', async () => {
    const host = new VirtualHost();
    const store: JobStore = memory({ clock: host.trueTime });
    let lose: (() => Promise<void>) | undefined;
    const fragile = withFaults(store, {
      watch: async (observer) => {
        const subscription = await store.watch(observer);
        lose = async () => {
          await subscription.close();
          observer.lost(new Error('gone'));
        };
        return subscription;
      },
    });
    const worker = await engineOn(fragile, host, rarePolls);
    const producer = await engineOn(store, host, rarePolls);
    const startedAt: number[] = [];
    worker.register('work', () => void startedAt.push(host.trueTime()));
    worker.engine.start();
    await host.advance(1_000);
    await lose?.();
    await host.advance(1);
    const due = host.trueTime() + 90_000;
    await producer.insert('work', { nextRunAt: new Date(due) });
    await host.advance(100_000);
    expect(startedAt).toEqual([due]);
  });
});
