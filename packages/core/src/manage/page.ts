import type { OutsideStore } from '../lifecycle/surface-failures.js';
import type { JobFilter, JobPageRequest, PagePosition } from '../store/query-types.js';
import { decodeCursor, encodeCursor, type PageSort, positionOf } from './cursor.js';
import { parseCursorFilter } from './cursor-filter.js';
import {
  CursorDirection,
  type CursorPage,
  JobCursorSortDirection,
  JobCursorSortField,
} from './cursor-types.js';
import { readChoice, readInteger, readQuery } from './query-input.js';

const WHAT = 'cursor options';
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** A checked request for a page. */
interface PageRequest<Id> {
  readonly filter: JobFilter;
  readonly sort: PageSort;
  readonly backward: boolean;
  readonly limit: number;
  readonly from?: PagePosition<Id>;
}

/**
 * Reads a page beside a cursor. One job more than asked for tells whether the walk goes on; a probe in the other
 * direction tells whether there is anything behind, since the job that the cursor pointed at may be gone.
 */
export async function getPage<Id>(
  store: OutsideStore<Id>,
  options: unknown,
): Promise<CursorPage<unknown, Id>> {
  const request = parseRequest(store, options);
  const { filter, sort, backward, limit, from } = request;
  const walk: Omit<JobPageRequest<Id>, 'limit'> = {
    filter,
    by: sort.by,
    direction: backward ? opposite(sort.direction) : sort.direction,
  };
  const found = await store.page({ ...walk, ...(from && { after: from }), limit: limit + 1 });
  const jobs = found.slice(0, limit);
  const goesOn = found.length > limit;
  const [nearest] = jobs;
  // Without a cursor the walk began at the end of all jobs: nothing lies behind it.
  const isBehind =
    from === undefined ? false : await anyBehind(store, walk, nearest && positionOf(nearest, sort.by));
  if (backward) jobs.reverse();
  const first = jobs[0];
  const last = jobs.at(-1);
  const place = last && {
    last: positionOf(last, sort.by),
    ...(backward && first && { first: positionOf(first, sort.by) }),
  };
  return {
    jobs,
    cursor: place ? encodeCursor(place, sort) : null,
    hasNextPage: backward ? isBehind : goesOn,
    hasPreviousPage: backward ? goesOn : isBehind,
  };
}

/** Whether jobs lie behind the nearest one of the page. Where the page is empty, every job there is lies behind. */
async function anyBehind<Id>(
  store: OutsideStore<Id>,
  walk: Omit<JobPageRequest<Id>, 'limit'>,
  nearest: PagePosition<Id> | undefined,
): Promise<boolean> {
  const back = { ...walk, direction: opposite(walk.direction), limit: 1 };
  const found = await store.page(nearest === undefined ? back : { ...back, after: nearest });
  return found.length > 0;
}

function opposite(direction: 'asc' | 'desc'): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc';
}

function parseRequest<Id>(store: OutsideStore<Id>, options: unknown): PageRequest<Id> {
  const given = readQuery(options ?? {}, WHAT, ['cursor', 'limit', 'direction', 'filter', 'sort']);
  const { limit = DEFAULT_LIMIT, direction = CursorDirection.FORWARD, cursor } = given;
  const sort = parseSort(given.sort);
  const backward =
    readChoice(direction, 'direction', WHAT, Object.values(CursorDirection)) === CursorDirection.BACKWARD;
  const place = cursor == null ? undefined : decodeCursor(cursor, sort, (text) => store.parseId(text));
  const from = backward ? (place?.first ?? place?.last) : place?.last;
  return {
    filter: parseCursorFilter(given.filter),
    sort,
    backward,
    limit: readInteger(limit, 'limit', WHAT, 1, MAX_LIMIT),
    ...(from && { from }),
  };
}

function parseSort(sort: unknown): PageSort {
  const given = readQuery(sort ?? {}, 'sort', ['by', 'direction']);
  const { by = JobCursorSortField.IDENTIFIER, direction = JobCursorSortDirection.ASC } = given;
  const field = readChoice(by, 'by', 'sort', Object.values(JobCursorSortField));
  return {
    by: field === JobCursorSortField.IDENTIFIER ? 'id' : field,
    direction: readChoice(direction, 'direction', 'sort', Object.values(JobCursorSortDirection)),
  };
}
