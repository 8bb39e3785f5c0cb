import { describe, test } from 'vitest';
import { LONG, simulate } from './simulate.js';

describe('every promise is kept when', () => {
  test('calls to the store are slow, get lost, or lose their answers', () => simulate('network'), LONG);

  test('the store is out of reach for everybody', () => simulate('outages'), LONG);
});
