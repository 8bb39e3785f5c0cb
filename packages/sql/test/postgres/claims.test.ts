import type { JobStore } from '@monque/core';
import { postgres } from '@monque/sql';
import { postgresDatabase } from '@monque/test-servers/vitest';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeStores, opening, PAST, toClaim, toInsert } from '../stores/open-stores.js';

closeStores();
const { available, pool, url } = postgresDatabase();

/** A pool that can lose the answer of a statement that took effect, as a broken connection does. */
class UnreliablePool extends pg.Pool {
  losesAnswers = false;

  override query(...args: unknown[]): never {
    const answer = (super.query as (...all: unknown[]) => Promise<unknown>)(...args);
    if (!this.losesAnswers) return answer as never;
    return answer.then(() => {
      throw new Error('Connection terminated unexpectedly');
    }) as never;
  }
}

describe.skipIf(!available)('Claims on PostgreSQL', () => {
  const unreliable: UnreliablePool[] = [];
  beforeEach(async () => {
    await opening(postgres(pool));
    await pool.query('DELETE FROM "Jobs"');
  });
  afterEach(async () => {
    for (const one of unreliable.splice(0)) await one.end();
  });

  test('find what is stored behind their mark while there is a backlog, and every job once', async () => {
    const store = await opening(postgres(pool));
    // No multiple of what a claim takes: the last answer behind the mark is short, and not the end.
    const backlog = 8_500;
    for (let n = 0; n < backlog; n += 500) {
      await store.insert(
        Array.from({ length: 500 }, (_, i) => toInsert({ nextRunAt: new Date(PAST.getTime() + n + i) })),
      );
    }
    const wants = [{ name: 'work', limit: 1_000 }];
    const seen: unknown[] = [];
    for (let more = true; more; ) {
      const result = await store.claim(await toClaim(store, { wants, total: 1_000 }));
      seen.push(...result.jobs.map(({ data }) => data));
      more = result.more;
      if (seen.length === 7_000) await store.insert([toInsert({ data: 'late', nextRunAt: new Date(0) })]);
    }
    expect(seen).toHaveLength(backlog + 1);
    expect(seen).toContain('late');
  });

  test('look for jobs without a due time also under names that the next claim does not want', async () => {
    const store = await opening(postgres(pool));
    await store.insert([toInsert({ name: 'busy' }), toInsert({ name: 'busy' })]);
    await pool.query(
      `INSERT INTO "Jobs" ("Id", "TypeName", "Arguments", "State", "CreatedAt", "RetryCount", "MaxRetryCount")
       VALUES ('timeless', 'busy', '{}', 1, $1, 0, 9)`,
      [PAST],
    );
    const busy = { name: 'busy', limit: 1 };
    const idle = { name: 'idle', limit: 1 };
    // Less than it wanted, and now the busy one has no slot left.
    const first = await store.claim(await toClaim(store, { wants: [busy, idle], total: 2 }));
    expect(first.jobs).toHaveLength(1);
    expect(first.more).toBe(true);
    await store.claim(await toClaim(store, { wants: [idle], total: 1 }));
    const { rows } = await pool.query(
      `SELECT "ScheduledAt" IS NOT NULL AS "isDue" FROM "Jobs" WHERE "Id" = 'timeless'`,
    );
    expect(rows).toEqual([{ isDue: true }]);
  });

  test('whose answer was lost are given back, and not left to recovery', async () => {
    const ownPool = new UnreliablePool({ connectionString: url, max: 2 });
    unreliable.push(ownPool);
    const store: JobStore<string> = await opening(postgres(ownPool));
    const [inserted] = await store.insert([toInsert()]);
    const request = await toClaim(store);
    ownPool.losesAnswers = true;
    await expect(store.claim(request)).rejects.toThrow('terminated');
    ownPool.losesAnswers = false;
    expect((await store.get([String(inserted?.job._id)]))[0]?.status).toBe('processing');
    const { jobs } = await store.claim(await toClaim(store));
    expect(jobs.map(({ _id }) => _id)).toEqual([inserted?.job._id]);
  });

  test('of many names go by the limits of each', async () => {
    const store = await opening(postgres(pool));
    const names = Array.from({ length: 12 }, (_, n) => `name-${n}`);
    await store.insert(names.flatMap((name) => Array.from({ length: 5 }, () => toInsert({ name }))));
    const wants = names.map((name, n) => ({ name, limit: n % 3 }));
    const { jobs } = await store.claim(await toClaim(store, { wants }));
    for (const { name, limit } of wants) {
      expect(jobs.filter((job) => job.name === name)).toHaveLength(limit);
    }
  });
});
