import { describe, expect, test } from 'vitest';
import { playHistory } from './play-history.js';
import type { Bug } from './watched-store.js';

/** Histories that are played; a broken one says its seed. */
const HISTORIES = 200;

test('whatever processes die and whichever answers get lost, each continuation runs once or is cancelled', {
  timeout: 120_000,
}, async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) expect(await playHistory(seed), `seed ${seed}`).toEqual([]);
});

describe('a bug that is planted is found', () => {
  test.each<Bug>(['double release', 'no sweep', 'version ignored', 'forgone children stay'])(
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
