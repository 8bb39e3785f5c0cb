import type { JobStore } from '@monque/core';
import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeStores, FUTURE, opening, PAST, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const { available, pool, url } = postgresDatabase();
const DEADLINE_MS = 10_000;

describe.skipIf(!available)('Messages of PostgreSQL', () => {
  const messages: string[] = [];
  let listener: pg.Client;
  let store: JobStore<string>;

  beforeEach(async () => {
    store = await opening(postgres(pool));
    await pool.query('DELETE FROM "Jobs"');
    messages.length = 0;
    listener = new pg.Client({ connectionString: url });
    await listener.connect();
    listener.on('notification', ({ payload }) => messages.push(String(payload)));
    await listener.query('LISTEN monque_jobs');
  });
  afterEach(() => listener.end());

  /** What was sent until now: messages come in the order of their transactions. */
  const sent = async () => {
    await pool.query(`NOTIFY monque_jobs, 'end'`);
    const deadline = performance.now() + DEADLINE_MS;
    while (messages.at(-1) !== 'end') {
      if (performance.now() > deadline) throw new Error('The last message did not come');
      await listener.query('SELECT 1');
    }
    return messages.splice(0).slice(0, -1);
  };
  const claimed = async () => (await store.claim(await toClaim(store))).jobs;
  const settle = async (outcome: Parameters<typeof toItem>[1]) => {
    const jobs = await claimed();
    await store.settle({ at: await store.now(), items: jobs.map((job) => toItem(job, outcome)) });
  };

  test('one for all jobs of an insert, with the earliest time', async () => {
    await store.insert([
      ...Array.from({ length: 300 }, () => toInsert({ nextRunAt: FUTURE })),
      toInsert({ nextRunAt: PAST }),
    ]);
    expect(await sent()).toEqual([`due ${PAST.getTime()} work`]);
    await store.insert([toInsert({ name: 'a' }), toInsert({ name: 'b' })]);
    expect(await sent()).toEqual([`due ${PAST.getTime()}`]);
  });

  test('none for held jobs, for claims, for renewals and for completions', async () => {
    await store.insert([toInsert({ status: 'created' })]);
    expect(await sent()).toEqual([]);
    await store.insert([toInsert()]);
    await sent();
    const jobs = await claimed();
    await store.renew(
      'owner',
      jobs.map((job) => ({ id: job._id, token: String(job.claimToken) })),
    );
    await store.settle({
      at: await store.now(),
      items: jobs.map((job) => toItem(job, { type: 'completed' })),
    });
    expect(await sent()).toEqual([]);
  });

  test('one for a batch of outcomes that wait again', async () => {
    await store.insert(Array.from({ length: 20 }, () => toInsert()));
    await sent();
    await settle({ type: 'retry', nextRunAt: FUTURE, failCount: 1, reason: 'broken' });
    expect(await sent()).toEqual([`due ${FUTURE.getTime()}`]);
  });

  test('names the running jobs that were cancelled or removed, a hundred at a time', async () => {
    await store.insert(Array.from({ length: 250 }, () => toInsert()));
    const wants = [{ name: 'work', limit: 250 }];
    const { jobs } = await store.claim(await toClaim(store, { wants, total: 250 }));
    await sent();
    await store.remove(jobs.map(({ _id }) => _id));
    const told = await sent();
    expect(told).toHaveLength(3);
    const ids = told.flatMap((message) => message.split(' ').slice(1));
    expect(ids.sort()).toEqual(jobs.map(({ _id }) => _id).sort());
  });

  test('nothing of a transaction that is undone', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await store.insert([toInsert()], { session: client });
    await client.query('ROLLBACK');
    client.release();
    expect(await sent()).toEqual([]);
  });
});

function toItem(
  job: Awaited<ReturnType<JobStore<string>['claim']>>['jobs'][number],
  outcome: { type: 'completed' } | { type: 'retry'; nextRunAt: Date; failCount: number; reason: string },
) {
  return { job, token: String(job.claimToken), startedAt: PAST, outcome };
}

describe.skipIf(!available)('A watcher of PostgreSQL', () => {
  /** Subscribes, and resolves with what comes first. */
  const firstOf = async (store: JobStore<string>) => {
    let told: (what: { due?: Date; lost?: Error }) => void = () => {};
    const first = new Promise<{ due?: Date; lost?: Error }>((resolve, reject) => {
      told = resolve;
      setTimeout(reject, DEADLINE_MS, new Error('Nobody said anything')).unref();
    });
    const subscription = await store.watch({
      due: (due) => told({ due }),
      stopped: () => {},
      lost: (lost) => told({ lost }),
    });
    return { first, close: () => subscription.close() };
  };

  test('hears of jobs in a schema whose name is longer than that of a channel may be', async () => {
    const schema = 'задания'.repeat(4);
    await pool.query(`CREATE SCHEMA "${schema}"`);
    const own = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}` });
    try {
      const store = await opening(postgres(own));
      const { first, close } = await firstOf(store);
      await store.insert([toInsert()]);
      expect(await first).toEqual({ due: PAST });
      await close();
      await store.close();
    } finally {
      await own.end();
    }
  });

  test('looks at once when another program says that it has stored something', async () => {
    const store = await opening(postgres(pool));
    const { first, close } = await firstOf(store);
    await pool.query('NOTIFY monque_jobs');
    expect(await first).toEqual({ due: new Date(0) });
    await close();
  });

  test('is told that its connection broke, and can subscribe again', async () => {
    const store = await opening(postgres(pool));
    const { first } = await firstOf(store);
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    );
    expect((await first).lost).toBeInstanceOf(Error);
    const again = await firstOf(store);
    await store.insert([toInsert({ nextRunAt: FUTURE })]);
    expect(await again.first).toEqual({ due: FUTURE });
    await again.close();
  });

  test('does not hear of another schema of the same database', async () => {
    const store = await opening(postgres(pool));
    await pool.query('CREATE SCHEMA IF NOT EXISTS "Other"');
    const otherPool = new pg.Pool({ connectionString: url, options: '-c search_path="Other"', max: 2 });
    otherPool.on('error', () => {});
    const other = postgres(otherPool);
    await other.open({ collectionName: '', skipIndexCreation: false, retention: false });
    const [here, there] = [await firstOf(store), await firstOf(other)];
    await other.insert([toInsert({ nextRunAt: FUTURE })]);
    expect(await there.first).toEqual({ due: FUTURE });
    await store.insert([toInsert({ nextRunAt: PAST })]);
    expect(await here.first).toEqual({ due: PAST });
    await here.close();
    await there.close();
    await other.close();
    await otherPool.end();
  });
});
