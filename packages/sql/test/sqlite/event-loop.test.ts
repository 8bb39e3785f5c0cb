import { sqlite } from '@monque/sql';
import { describe, expect, test } from 'vitest';
import { closeStores, opening, toInsert } from '../stores/open-stores.js';

closeStores();
const MANY = 50_000;
const BATCH = 1_000;
const TIMER_MS = 20;

describe('While operations of SQLite follow each other without a pause', () => {
  test('timers fire, such as those of heartbeats', { timeout: 60_000 }, async () => {
    const store = await opening(sqlite({ file: ':memory:' }));
    for (let stored = 0; stored < MANY; stored += BATCH) {
      await store.insert(Array.from({ length: BATCH }, () => toInsert()));
    }
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, TIMER_MS);
    const began = performance.now();
    for (let removed = -1; removed !== 0; ) removed = await store.removeWhere({}, BATCH);
    const took = performance.now() - began;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(took / TIMER_MS / 4);
    expect((await store.counts()).byStatus).toEqual({});
  });
});
