import { describe, expect, test } from 'vitest';
import { newJobId, parseJobId } from '../../src/rows/job-ids.js';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Ids of jobs', () => {
  test('are GUIDs of version 7 that sort by creation, also those of one millisecond and of a clock that goes back', () => {
    const now = Date.now();
    const times = [...Array.from({ length: 10_000 }, () => now), now - 5_000, now - 1, now + 1];
    const ids = times.map((time) => newJobId(new Date(time)));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(VERSION_7);
  });

  test('are read in any case; those of others as they are written', () => {
    const own = newJobId(new Date());
    const foreign = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';
    expect(parseJobId(own.toUpperCase())).toBe(own);
    expect(parseJobId(foreign)).toBe(foreign);
    expect(parseJobId('job-1')).toBe('job-1');
    expect(parseJobId('job\0')).toBeUndefined();
  });
});
