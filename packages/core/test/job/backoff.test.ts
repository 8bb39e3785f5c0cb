import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyJitter,
  backoffDelay,
  calculateBackoff,
  calculateBackoffDelay,
  DEFAULT_BASE_INTERVAL,
  DEFAULT_JITTER_FACTOR,
  DEFAULT_MAX_BACKOFF_DELAY,
} from '../../src/job/backoff.js';

test('the defaults are one second, 24 hours and a quarter', () => {
  expect(DEFAULT_BASE_INTERVAL).toBe(1_000);
  expect(DEFAULT_MAX_BACKOFF_DELAY).toBe(24 * 60 * 60 * 1_000);
  expect(DEFAULT_JITTER_FACTOR).toBe(0.25);
});

describe('calculateBackoffDelay', () => {
  test.each([
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 16_000],
    [10, 1_024_000],
  ])('after %i failures is %i ms without jitter', (failCount, expected) => {
    expect(calculateBackoffDelay(failCount, 1_000, undefined, 0)).toBe(expected);
  });

  test('is jittered by a quarter unless told otherwise', () => {
    const delays = Array.from({ length: 500 }, () => calculateBackoffDelay(3));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(6_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
    expect(new Set(delays).size).toBeGreaterThan(100);
  });

  test('never exceeds its cap, jitter included', () => {
    for (let i = 0; i < 200; i++)
      expect(calculateBackoffDelay(30, 1_000, 5_000, 1)).toBeLessThanOrEqual(5_000);
    expect(calculateBackoffDelay(30, 1_000, undefined, 0)).toBe(DEFAULT_MAX_BACKOFF_DELAY);
  });

  test.each([1_023, 1_024, 5_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
    'is finite after %d failures',
    (failCount) => {
      expect(calculateBackoffDelay(failCount, 1_000, undefined, 0)).toBe(DEFAULT_MAX_BACKOFF_DELAY);
      expect(calculateBackoffDelay(failCount, 0, undefined, 0)).toBe(0);
      expect(calculateBackoffDelay(failCount, 1_000, Number.POSITIVE_INFINITY)).toBeLessThan(
        Number.POSITIVE_INFINITY,
      );
    },
  );

  test('is finite and within bounds for any input', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), fc.double(), (failCount, base, max, jitter) => {
        const delay = calculateBackoffDelay(failCount, base, max, jitter);
        expect(Number.isFinite(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
        if (max >= 0) expect(delay).toBeLessThanOrEqual(max);
      }),
    );
  });
});

test('calculateBackoff is the delay from now', () => {
  const before = Date.now();
  const due = calculateBackoff(2, 1_000, undefined, 0).getTime();
  expect(due).toBeGreaterThanOrEqual(before + 4_000);
  expect(due).toBeLessThanOrEqual(Date.now() + 4_000);
  expect(calculateBackoff(5_000, 1_000, Number.POSITIVE_INFINITY, 0).getTime()).not.toBeNaN();
});

describe('applyJitter', () => {
  test('gives whole numbers within the bounds', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (delay, factor) => {
        const moved = applyJitter(delay, factor);
        expect(Number.isInteger(moved)).toBe(true);
        expect(moved).toBeGreaterThanOrEqual(delay * (1 - factor) - 1e-6 * delay);
        expect(moved).toBeLessThanOrEqual(delay * (1 + factor) + 1e-6 * delay);
      }),
    );
  });

  test('leaves the delay alone without a factor', () => {
    for (const factor of [0, -0.5, Number.NaN]) expect(applyJitter(1_234.5, factor)).toBe(1_234.5);
  });

  test('stays within the bounds where few whole numbers lie between them', () => {
    for (let i = 0; i < 200; i++) expect([applyJitter(3, 0.25), applyJitter(1, 0.9)]).toEqual([3, 1]);
  });

  test('reaches both ends', () => {
    const seen = new Set(Array.from({ length: 500 }, () => applyJitter(4, 0.5)));
    expect([...seen].sort()).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('backoffDelay', () => {
  const plain = { delay: 100, maxDelay: 1_000, jitter: 0 };

  test('grows by its type', () => {
    const delays = (type: 'exponential' | 'linear' | 'fixed') =>
      [1, 2, 3, 4, 20].map((failCount) => backoffDelay(failCount, { type, ...plain }));
    expect(delays('exponential')).toEqual([200, 400, 800, 1_000, 1_000]);
    expect(delays('linear')).toEqual([100, 200, 300, 400, 1_000]);
    expect(delays('fixed')).toEqual([100, 100, 100, 100, 100]);
  });

  test('caps a fixed delay too', () => {
    expect(backoffDelay(1, { type: 'fixed', delay: 5_000, maxDelay: 1_000, jitter: 0 })).toBe(1_000);
  });
});
