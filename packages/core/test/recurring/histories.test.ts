import { describe, expect, test } from 'vitest';
import { type Bug, playHistory } from './play-history.js';

/** Histories that are played of each kind; a broken one says its seed. */
const HISTORIES = 200;

test('whatever processes die and whichever answers get lost, each second has one job', {
  timeout: 120_000,
}, async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) expect(await playHistory(seed), `seed ${seed}`).toEqual([]);
});

describe('a bug that is planted is found', () => {
  test.each<Bug>(['no identity', 'step before the jobs', 'no step'])(
    '%s',
    { timeout: 120_000 },
    async (bug) => {
      for (let seed = 1; seed <= HISTORIES; seed++) {
        if ((await playHistory(seed, bug)).length > 0) return;
      }
      expect.unreachable(`${HISTORIES} histories did not show it`);
    },
  );
});
