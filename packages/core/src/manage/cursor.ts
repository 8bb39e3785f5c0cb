import { InvalidCursorError } from '../errors/input-errors.js';
import type { PageKey, PagePosition, StoredJob } from '../store/query-types.js';

/** Changes with the meaning of a cursor's content, so that an older one is refused instead of misread. */
const VERSION = 1;

/** The order that a cursor belongs to. */
export interface PageSort {
  readonly by: PageKey;
  readonly direction: 'asc' | 'desc';
}

/** Where a page ends; for a page that was read backward, also where it begins. */
export interface CursorPlace<Id> {
  readonly last: PagePosition<Id>;
  /** Where the next step backward goes on from, so that walking backward repeats no job. */
  readonly first?: PagePosition<Id>;
}

/** A position as text can hold it: milliseconds or null, and the id. */
type WirePosition = readonly [key: number | null, id: string];

/** A job's place in an order. */
export function positionOf<Id>(job: StoredJob<Id>, by: PageKey): PagePosition<Id> {
  // Jobs that others wrote may lack the field, whatever its type says.
  const key: Date | null | undefined = by === 'id' ? null : job[by];
  return { key: key ?? null, id: job._id };
}

export function encodeCursor<Id>(place: CursorPlace<Id>, sort: PageSort): string {
  const wire = [
    VERSION,
    sort.by,
    sort.direction,
    toWire(place.last),
    ...(place.first ? [toWire(place.first)] : []),
  ];
  return Buffer.from(JSON.stringify(wire)).toString('base64url');
}

/** Reads a cursor back. It comes from outside, so everything in it is checked. */
export function decodeCursor<Id>(
  cursor: unknown,
  sort: PageSort,
  parseId: (text: string) => Id | undefined,
): CursorPlace<Id> {
  const wire = parseText(cursor);
  if (wire[0] !== VERSION || wire.length < 4 || wire.length > 5) throw malformed();
  if (wire[1] !== sort.by || wire[2] !== sort.direction) {
    throw new InvalidCursorError('The cursor belongs to another sort order. Start again from the first page');
  }
  const last = fromWire(wire[3], sort, parseId);
  const place = wire.length === 4 ? { last } : { last, first: fromWire(wire[4], sort, parseId) };
  // There is one text for one place: whatever else decodes to it was not made here.
  if (encodeCursor(place, sort) !== cursor) throw malformed();
  return place;
}

function toWire<Id>(position: PagePosition<Id>): WirePosition {
  return [position.key === null ? null : position.key.getTime(), String(position.id)];
}

function parseText(cursor: unknown): unknown[] {
  if (typeof cursor !== 'string') throw malformed();
  try {
    const wire: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(wire)) return wire;
  } catch (error) {
    throw malformed(error);
  }
  throw malformed();
}

function fromWire<Id>(
  wire: unknown,
  sort: PageSort,
  parseId: (text: string) => Id | undefined,
): PagePosition<Id> {
  if (!Array.isArray(wire) || wire.length !== 2) throw malformed();
  const [time, text]: unknown[] = wire;
  const id = typeof text === 'string' ? parseId(text) : undefined;
  const key = typeof time === 'number' ? new Date(time) : null;
  const keyFits = time === null || (sort.by !== 'id' && key !== null && !Number.isNaN(key.getTime()));
  if (id === undefined || !keyFits) throw malformed();
  return { key, id };
}

function malformed(cause?: unknown): InvalidCursorError {
  return new InvalidCursorError(
    'The cursor is malformed. Pass one that a page returned, or none for the first page',
    {
      cause,
    },
  );
}
