import { expect, test } from 'vitest';
import { growthOf } from './vitals.js';

const samples = (valueAt: (index: number) => number) =>
  Array.from({ length: 40 }, (_, index) => valueAt(index));

test('what rises until the end has grown', () => {
  expect(growthOf(samples((index) => 20 + index / 2))).toBeGreaterThan(5);
});

test('what rises at the begin only, or for a moment, has not', () => {
  expect(growthOf(samples((index) => Math.min(20 + index, 28)))).toBe(0);
  expect(growthOf(samples((index) => (index % 10 === 9 ? 90 : 20)))).toBe(0);
});
