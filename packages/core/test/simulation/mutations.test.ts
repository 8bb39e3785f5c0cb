import { afterEach, describe, expect, test, vi } from 'vitest';
import { BUGS } from './bugs.js';
import { findBroken, SEED } from './check-histories.js';
import { runHistory } from './run-history.js';
import { LONG } from './simulate.js';

/** No more than the tests of the engine itself play, so that it has passed them all. */
const MOST_HISTORIES = 2_000;

afterEach(() => void vi.restoreAllMocks());

describe('the simulation finds out when', () => {
  test.each(BUGS.map((bug) => [bug.name, bug] as const))(
    '%s',
    async (_name, bug) => {
      bug.patch?.();
      const broken = await findBroken(bug.profile, MOST_HISTORIES, { seed: SEED, bug, reduce: false });
      expect(broken).toBeDefined();
      vi.restoreAllMocks();
      // The bug it was, and nothing else.
      if (broken !== undefined) expect(await runHistory(broken.plan)).toBeUndefined();
    },
    LONG,
  );
});
