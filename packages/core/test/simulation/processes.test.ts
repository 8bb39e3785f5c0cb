import { describe, test } from 'vitest';
import { LONG, simulate } from './simulate.js';

describe('every promise is kept when', () => {
  test(
    'processes die, freeze, stop, come back, and have clocks that are off',
    () => simulate('crashes'),
    LONG,
  );

  test('callers cancel, retry, reschedule and delete jobs while they run', () => simulate('callers'), LONG);
});
