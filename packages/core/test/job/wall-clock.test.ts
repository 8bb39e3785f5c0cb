import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf, wallClock } from '../../src/job/wall-clock.js';

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Apia',
);
const instants = fc.integer({ min: Date.parse('1995-01-01'), max: Date.parse('2040-01-01') });

test('shows what clocks show', () => {
  expect(wallClock(Date.parse('2026-07-01T12:00:00.123Z'), 'Europe/Berlin')).toBe(
    Date.parse('2026-07-01T14:00:00.123Z'),
  );
  expect(wallClock(Date.parse('2026-01-01T00:30:00Z'), 'America/New_York')).toBe(
    Date.parse('2025-12-31T19:30:00Z'),
  );
  expect(wallClock(Date.parse('0050-06-01T00:00:00Z'), 'UTC')).toBe(Date.parse('0050-06-01T00:00:00Z'));
});

test('there and back is the same instant, or the first pass of a repeated hour', () => {
  fc.assert(
    fc.property(instants, zones, (instant, zone) => {
      const wall = wallClock(instant, zone);
      const back = instantOf(wall, zone);
      expect(back).toBeLessThanOrEqual(instant);
      expect(wallClock(back, zone)).toBe(wall);
    }),
    { numRuns: 2_000 },
  );
});

test('later times never come earlier', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 0, max: 3 * 86_400_000 }), zones, (wall, later, zone) => {
      expect(instantOf(wall + later, zone)).toBeGreaterThanOrEqual(instantOf(wall, zone));
    }),
    { numRuns: 1_000 },
  );
});
