import { testDatabase } from '@monque/test-servers/vitest';
import { describe, expect, test } from 'vitest';
import { Contention } from '../../src/mongodb/claim/contention.js';
import { openStore, toClaim, toInserts } from './open-store.js';

const { db, available } = testDatabase();

describe('Where claims begin to look', () => {
  test('is the head of the queue as long as no race is lost', () => {
    const contention = new Contention();
    contention.note(0, 500);
    expect(Array.from({ length: 100 }, () => contention.offset(500))).toEqual(Array(100).fill(0));
  });

  test.each([
    [1, 1],
    [1, 5],
    [49, 500],
  ])('is the head also after %i of %i were lost: cancelled jobs are no race', (lost, asked) => {
    const contention = new Contention();
    contention.note(lost, asked);
    expect(Array.from({ length: 100 }, () => contention.offset(500))).toEqual(Array(100).fill(0));
  });

  test('is the head for small claims, whose order would show', () => {
    const contention = new Contention();
    contention.note(50, 50);
    expect(Array.from({ length: 100 }, () => contention.offset(99))).toEqual(Array(100).fill(0));
  });

  test('is one of four places after a lost race, and the head again when no more are lost', () => {
    const contention = new Contention();
    contention.note(50, 500);
    const places = new Set(Array.from({ length: 500 }, () => contention.offset(100)));
    expect([...places].sort((a, b) => a - b)).toEqual([0, 100, 200, 300]);
    for (let clean = 0; clean < 16; clean++) contention.note(0, 500);
    expect(contention.offset(100)).toBe(0);
  });

  test.skipIf(!available)('lets two processes share a backlog to its end, each job once', async () => {
    const stores = [await openStore(db), await openStore(db)];
    await stores[0]?.insert(toInserts(5_000));
    const claims = await Promise.all(
      stores.map(async (store) => {
        const ids: string[] = [];
        for (let more = true; more; ) {
          const claimed = await store.claim(
            await toClaim(store, { wants: [{ name: 'work', limit: 100 }], total: 100 }),
          );
          ids.push(...claimed.jobs.map(({ _id }) => _id.toHexString()));
          more = claimed.more;
        }
        return ids;
      }),
    );
    expect(new Set(claims.flat()).size).toBe(5_000);
    expect(claims.flat()).toHaveLength(5_000);
  });
});
