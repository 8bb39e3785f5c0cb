import type { JobFilter, TimeRange } from '../store/query-types.js';
import { readDate, readName, readQuery, readStatuses } from './query-input.js';

const WHAT = 'cursor filter';
const TIMES = ['createdAt', 'updatedAt', 'nextRunAt'] as const;
const KEYS = [
  'name',
  'status',
  'createdAtFrom',
  'createdAtTo',
  'updatedAtFrom',
  'updatedAtTo',
  'nextRunAtFrom',
  'nextRunAtTo',
] as const;

/** Checks the filter of a page. Only what is built here reaches a store. */
export function parseCursorFilter(filter: unknown): JobFilter {
  const given = readQuery(filter ?? {}, WHAT, KEYS);
  const ranges: Partial<Record<(typeof TIMES)[number], TimeRange>> = {};
  for (const time of TIMES) {
    const from = given[`${time}From`];
    const to = given[`${time}To`];
    if (from === undefined && to === undefined) continue;
    ranges[time] = {
      ...(from !== undefined && { from: readDate(from, `${time}From`, WHAT) }),
      ...(to !== undefined && { to: readDate(to, `${time}To`, WHAT) }),
    };
  }
  return {
    ...(given.name !== undefined && { name: readName(given.name, WHAT) }),
    ...(given.status !== undefined && { statuses: readStatuses(given.status, WHAT) }),
    ...ranges,
  };
}
