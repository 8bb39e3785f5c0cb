import { describe, expect, it } from 'vitest';
import { percentile, spreadOf } from '../../src/measure/statistics.js';

describe('percentile', () => {
  it('takes the middle of an odd number of values, in whatever order they come', () => {
    expect(percentile([9, 1, 5], 0.5)).toBe(5);
  });

  it('interpolates between neighbours', () => {
    expect(percentile([10, 20], 0.75)).toBe(17.5);
  });
});

describe('spreadOf', () => {
  it('goes from the least to the most', () => {
    expect(spreadOf([4, 2, 8, 6])).toEqual({ median: 5, min: 2, max: 8 });
  });
});
