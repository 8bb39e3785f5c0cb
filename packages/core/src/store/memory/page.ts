import type { JobPageRequest, PageKey, PagePosition } from '../query-types.js';
import { smallest } from './binary-heap.js';
import type { JobTable } from './job-table.js';
import { type MemoryJob, without } from './memory-job.js';

/** Reads a page in the total order of the key, then the id. */
export function page(table: JobTable, request: JobPageRequest<string>): MemoryJob[] {
  const { filter, by, direction, after, skip = 0, limit, light } = request;
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: PagePosition<string>, b: PagePosition<string>) => sign * comparePositions(a, b);
  const candidates: { key: Date | null; id: string; job: MemoryJob }[] = [];
  for (const job of table.matching(filter)) {
    const place = { key: keyOf(job, by), id: job._id, job };
    if (after === undefined || compare(place, positionOf(after, by)) > 0) candidates.push(place);
  }
  return smallest(candidates, skip + limit, compare)
    .slice(skip)
    .map(({ job }) => (light ? without(job, 'data', 'result', 'progress') : job));
}

function keyOf(job: MemoryJob, by: PageKey): Date | null {
  return by === 'id' ? null : (job[by] ?? null);
}

function positionOf(after: PagePosition<string>, by: PageKey): PagePosition<string> {
  return by === 'id' ? { key: null, id: after.id } : after;
}

/** A job that lacks the key comes first. */
function comparePositions(a: PagePosition<string>, b: PagePosition<string>): number {
  const keys =
    (a.key?.getTime() ?? Number.NEGATIVE_INFINITY) - (b.key?.getTime() ?? Number.NEGATIVE_INFINITY);
  // Two missing keys subtract to NaN, which is no difference either.
  return keys || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
