import { setImmediate } from 'node:timers/promises';
import { type Insert, InvalidOptionError, type JobStore, memory, type NewJob } from '@monque/core';
import { describe, expect, test } from 'vitest';

const NOW = new Date('2026-01-05T10:00:00Z');

function insertOf(parts: Partial<NewJob> = {}): Insert {
  const job = {
    name: 'work',
    data: {},
    status: 'pending',
    nextRunAt: NOW,
    createdAt: NOW,
    ...parts,
  } as const;
  return { job, onDuplicate: 'keep' };
}

async function storedData(store: JobStore<string>, data: unknown): Promise<unknown> {
  const [inserted] = await store.insert([insertOf({ data })]);
  const [job] = await store.get([inserted!.job._id]);
  return job!.data;
}

describe('memory()', () => {
  test('has no transactions, and says so before anything is written', async () => {
    const store = memory();
    const failure = store.insert([insertOf()], { session: {} });
    await expect(failure).rejects.toThrow(InvalidOptionError);
    await expect(failure).rejects.toMatchObject({ option: 'session' });
    expect((await store.counts()).byStatus).toEqual({});
  });

  test('tells the time of the given clock, and goes by it', async () => {
    let time = NOW.getTime();
    const store = memory({ clock: () => time });
    await store.insert([insertOf()]);
    const request = {
      owner: 'me',
      token: 't',
      wants: [{ name: 'work', limit: 1 }],
      total: 1,
      heartbeatInterval: 1,
    };
    const { jobs } = await store.claim({ ...request, now: NOW });
    expect(jobs[0]).toMatchObject({ lockedAt: NOW, updatedAt: NOW });
    const recover = () => store.recover({ now: NOW, lockTimeout: 1_000, legacyLockTimeout: 1_000 });
    time += 1_000;
    expect(await store.now()).toEqual(new Date(time));
    expect(await recover()).toBe(0);
    time += 1;
    expect(await recover()).toBe(1);
  });

  test('gives ids that sort by creation, also when the clock goes back', async () => {
    let time = NOW.getTime();
    const store = memory({ clock: () => time });
    const ids: string[] = [];
    for (const step of [0, 5, -10_000, 3]) {
      time += step;
      for (const { job } of await store.insert([insertOf(), insertOf()])) ids.push(job._id);
    }
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  test('keeps dates and bytes, makes instances plain, and drops what is undefined', async () => {
    class Money {
      constructor(amount: number) {
        Object.assign(this, { amount, none: undefined });
      }
    }
    const data = {
      at: NOW,
      bytes: Uint8Array.of(1, 2),
      money: new Money(5),
      link: new URL('https://example.com/'),
      map: new Map([['a', 1]]),
      none: undefined,
      list: [undefined, 1],
    };
    expect(await storedData(memory(), data)).toStrictEqual({
      at: NOW,
      bytes: Uint8Array.of(1, 2),
      money: { amount: 5 },
      link: 'https://example.com/',
      map: { a: 1 },
      list: [null, 1],
    });
  });

  test('keeps a member called __proto__ as a member', async () => {
    const data: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
    const copy = (await storedData(memory(), data)) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(copy.polluted).toBeUndefined();
  });

  test('measures payloads as JSON in UTF-8', () => {
    const { sizeOf, maxBytes, bigint } = memory().payload;
    expect([sizeOf('ü'), sizeOf({ a: 1 }), sizeOf(undefined)]).toEqual([4, 7, 0]);
    expect(maxBytes).toBe(16 * 1024 * 1024);
    expect(bigint).toBe(false);
  });

  test('tells observers after the write, not within it', async () => {
    const store = memory();
    const order: string[] = [];
    await store.watch({ due: () => order.push('due'), stopped: () => {}, lost: () => {} });
    const inserting = store.insert([insertOf()]);
    order.push('returned');
    await inserting;
    await setImmediate();
    expect(order).toEqual(['returned', 'due']);
  });

  test('claims as fast with a hundred thousand future jobs of higher priority as without', async () => {
    const store = memory();
    const future = new Date(NOW.getTime() + 3_600_000);
    await store.insert(Array.from({ length: 100_000 }, () => insertOf({ nextRunAt: future, priority: 9 })));
    await store.insert(Array.from({ length: 2_000 }, (_, data) => insertOf({ data })));
    const start = performance.now();
    for (let turn = 0; turn < 200; turn++) {
      const wants = [{ name: 'work', limit: 10 }];
      const { jobs } = await store.claim({
        owner: 'me',
        token: `t${turn}`,
        wants,
        total: 10,
        now: NOW,
        heartbeatInterval: 1,
      });
      expect(jobs).toHaveLength(10);
    }
    // A claim that looked at every job would take minutes.
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  test('a job that is rescheduled over and over leaves nothing behind', async () => {
    const store = memory();
    const [inserted] = await store.insert([insertOf()]);
    const id = inserted!.job._id;
    for (let turn = 0; turn < 5_000; turn++) {
      const runAt = new Date(NOW.getTime() + 1_000_000 - turn);
      await store.change([id], { type: 'reschedule', runAt }, NOW);
    }
    expect(await store.nextDueAt(['work'], NOW)).toEqual(new Date(NOW.getTime() + 1_000_000 - 4_999));
    await store.change([id], { type: 'reschedule', runAt: NOW }, NOW);
    const request = {
      owner: 'me',
      token: 't',
      wants: [{ name: 'work', limit: 9 }],
      total: 9,
      heartbeatInterval: 1,
    };
    expect((await store.claim({ ...request, now: NOW })).jobs).toHaveLength(1);
    expect(await store.nextDueAt(['work'], new Date(0))).toBeUndefined();
  });
});
