import { describe, expect, test } from 'vitest';
import { LowWaterMark } from '../../src/store/low-water-mark.js';

const NAMES = ['work'];
const NOW = new Date('2026-01-05T10:00:00.000Z');
const EARLIER = new Date('2026-01-05T09:00:00.000Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

/** A mark after so many jobs of full answers. */
function marked(count: number): LowWaterMark {
  const mark = new LowWaterMark();
  for (let seen = 0; seen < count; seen += 1_000)
    mark.note(NAMES, { count: 1_000, earliest: EARLIER, isFull: true });
  mark.lookedBack(NAMES, NOW);
  return mark;
}

describe('The place at which a scan may begin', () => {
  test('is the first job of the latest answer, once a backlog has left its traces', () => {
    expect(marked(4_000).from(NAMES, NOW)).toBeUndefined();
    expect(marked(5_000).from(NAMES, NOW)).toEqual(EARLIER);
  });

  test('is forgotten after an answer that was not full, and for other names', () => {
    const mark = marked(5_000);
    expect(mark.from(['other'], NOW)).toBeUndefined();
    mark.note(NAMES, { count: 10, earliest: EARLIER, isFull: false });
    expect(mark.from(NAMES, NOW)).toBeUndefined();
  });

  test('stays through claims for a few other names, which say nothing about these', () => {
    const mark = marked(5_000);
    mark.note(['other'], { count: 16, earliest: NOW, isFull: true });
    mark.lookedBack(['other'], after(900));
    expect(mark.from(['other'], after(900))).toBeUndefined();
    mark.note(NAMES, { count: 1_000, earliest: EARLIER, isFull: true });
    expect(mark.from(NAMES, after(900))).toEqual(EARLIER);
    expect(mark.from(NAMES, after(1_000))).toBeUndefined();
  });

  test('is that of other names once those have a backlog', () => {
    const mark = marked(100_000);
    for (let seen = 0; seen < 30_000; seen += 1_000)
      mark.note(['other'], { count: 1_000, earliest: NOW, isFull: true });
    mark.lookedBack(['other'], NOW);
    expect(mark.from(['other'], NOW)).toEqual(NOW);
    expect(mark.from(NAMES, NOW)).toBeUndefined();
  });

  test('is passed over every second, so that nothing before it is missed for longer', () => {
    const mark = marked(5_000);
    expect(mark.from(NAMES, after(999))).toEqual(EARLIER);
    expect(mark.from(NAMES, after(1_000))).toBeUndefined();
    mark.lookedBack(NAMES, after(1_000));
    expect(mark.from(NAMES, after(1_001))).toEqual(EARLIER);
  });
});
