import { beforeEach, describe, expect, test } from 'vitest';
import { Slots } from '../../src/engine/dispatch/slots.js';
import { Run } from '../../src/engine/execute/run.js';
import { WorkerRegistry } from '../../src/engine/worker-registry.js';
import type { StoredJob } from '../../src/store/query-types.js';
import { VirtualHost } from './virtual-host.js';

describe('slots', () => {
  const host = new VirtualHost();
  let workers: WorkerRegistry;
  let running: { run: Run; finish: () => void }[];
  let returned: Run[];

  function slots(limit = Number.POSITIVE_INFINITY): Slots {
    return new Slots({
      host,
      workers,
      limit,
      execute: (run) => new Promise((finish) => running.push({ run, finish })),
      giveBack: (runs) => returned.push(...runs),
      freed: () => {},
    });
  }

  function worker(name: string, concurrency: number) {
    const added = { name, handler: () => {}, concurrency, options: {} };
    workers.add(added, false);
    return (id: number) =>
      new Run({ _id: id, name, failCount: 0 } as StoredJob, 't', added, host.monotonic());
  }

  beforeEach(() => {
    workers = new WorkerRegistry();
    running = [];
    returned = [];
  });

  /** Lets `count` times `atOnce` jobs run, each for `ms`, so that it is known how fast they are. */
  async function finishJobs(pool: Slots, make: (id: number) => Run, count: number, ms: number, atOnce = 1) {
    for (let id = 0; id < count; id++) {
      for (let slot = 0; slot < atOnce; slot++) pool.accept(make(id * atOnce + slot));
      await host.advance(ms);
      for (const { finish } of running.splice(0)) finish();
      await host.advance(0);
    }
  }

  test('wants as many jobs of a new worker as it may run, and no more', () => {
    worker('a', 3);
    worker('b', 2);
    expect(slots().wanted()).toEqual({
      wants: [
        { name: 'a', limit: 3 },
        { name: 'b', limit: 2 },
      ],
      total: 5,
      isLimited: false,
    });
  });

  test('never runs more than a worker’s concurrency, and starts the next when one ends', async () => {
    const make = worker('a', 2);
    const pool = slots();
    for (let id = 0; id < 3; id++) pool.accept(make(id));
    expect(running).toHaveLength(2);
    running[0]?.finish();
    await host.advance(0);
    expect(running).toHaveLength(3);
    expect(pool.activeCount('a')).toBe(2);
  });

  test('holds the limit of the process over all workers', async () => {
    const a = worker('a', 5);
    const b = worker('b', 5);
    const pool = slots(3);
    expect(pool.wanted().total).toBe(3);
    for (let id = 0; id < 2; id++) pool.accept(a(id));
    for (let id = 2; id < 5; id++) pool.accept(b(id));
    expect(running).toHaveLength(3);
    expect(pool.wanted().total).toBe(0);
    running[0]?.finish();
    await host.advance(0);
    expect(running.map(({ run }) => run.id)).toEqual([0, 1, 2, 3]);
  });

  test('fetches ahead for fast jobs, about a quarter of a second of work', async () => {
    const make = worker('a', 4);
    const pool = slots();
    await finishJobs(pool, make, 30, 10, 4);
    const [want] = pool.wanted().wants;
    expect(want?.limit).toBeGreaterThan(80);
    expect(want?.limit).toBeLessThan(120);
  });

  test('fetches no more ahead for all workers than the process gets through', async () => {
    const makers = Array.from({ length: 50 }, (_, index) => worker(`name-${index}`, 10));
    const pool = slots();
    for (const make of makers) await finishJobs(pool, make, 3, 1, 10);
    // Ten jobs a millisecond.
    const { wants, total } = pool.wanted();
    expect(wants.reduce((sum, { limit }) => sum + limit, 0)).toBeGreaterThan(50_000);
    expect(total).toBeGreaterThan(500 + 1_500);
    expect(total).toBeLessThan(500 + 3_500);
  });

  test('fetches nothing ahead for slow jobs', async () => {
    const make = worker('a', 4);
    const pool = slots();
    await finishJobs(pool, make, 5, 500);
    expect(pool.wanted().wants).toEqual([{ name: 'a', limit: 4 }]);
  });

  test('gives back what waits too long because the jobs have become slow', async () => {
    const make = worker('a', 1);
    const pool = slots();
    await finishJobs(pool, make, 30, 5);
    for (let id = 100; id < 110; id++) pool.accept(make(id));
    await host.advance(500);
    expect(returned.map((run) => run.id)).toEqual([101, 102, 103, 104, 105, 106, 107, 108, 109]);
    expect(pool.wanted().wants).toEqual([]);
  });

  test('does not fetch again what went back because another worker’s jobs hold the slots of the process', async () => {
    const fast = worker('fast', 2);
    const other = worker('other', 2);
    const pool = slots(1);
    await finishJobs(pool, fast, 30, 5);
    // Turns out to be slow.
    pool.accept(fast(100));
    expect(pool.wanted().wants).toContainEqual({ name: 'other', limit: 2 });
    pool.accept(other(200));
    await host.advance(500);
    expect(returned.map((run) => run.id)).toEqual([200]);
    expect(pool.wanted()).toMatchObject({ total: 0, isLimited: true });
  });

  test('does not start a claim that was lost while it waited', async () => {
    const make = worker('a', 1);
    const pool = slots();
    const lost = make(2);
    pool.accept(make(1));
    pool.accept(lost);
    lost.end(new Error('taken'));
    running[0]?.finish();
    await host.advance(0);
    expect(running).toHaveLength(1);
    expect(returned).toEqual([lost]);
  });
});
